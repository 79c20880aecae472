import { readLength } from '../length.js';
import { UNKNOWN } from '../records.js';
import { skipString } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** KeyDB's scheduled script: source, start, interval, keys, arguments. Source: KeyDB rdb.cpp RDB_TYPE_CRON. */
function decodeCron(context: ValueContext): void {
  const { reader, record } = context;
  context.meter.begin(record);
  const scriptBytes = skipString(reader);
  reader.skip(16);
  for (let part = 0; part < 2; part++) {
    const count = readLength(reader);
    for (let i = 0; i < count; i++) skipString(reader);
  }
  record.setPlain(1, scriptBytes, UNKNOWN);
}

export const cronTypes: readonly ValueType[] = [
  {
    code: 64,
    name: 'CRON',
    dataType: 'cron',
    dialects: ['redis', 'keydb'],
    writers: 'KeyDB',
    decode: decodeCron,
  },
];
