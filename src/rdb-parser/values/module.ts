import type { ByteReader } from '../byte-reader.js';
import { RdbError } from '../errors.js';
import { readLength, readNumber64, skipNumber } from '../length.js';
import { moduleName, moduleVersion } from '../module-id.js';
import { UNKNOWN } from '../records.js';
import { skipString } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** Items of a module's value. Source: rdb.h RDB_MODULE_OPCODE_EOF .. _STRING (Redis 7.2). */
const ITEM_END = 0;
const ITEM_SIGNED = 1;
const ITEM_UNSIGNED = 2;
const ITEM_FLOAT = 3;
const ITEM_DOUBLE = 4;
const ITEM_STRING = 5;

/** Passes over a module's self-describing items up to their end mark. */
export function skipModuleItems(reader: ByteReader): void {
  for (;;) {
    const item = readLength(reader);
    if (item === ITEM_END) return;
    if (item === ITEM_SIGNED || item === ITEM_UNSIGNED) skipNumber(reader);
    else if (item === ITEM_FLOAT) reader.skip(4);
    else if (item === ITEM_DOUBLE) reader.skip(8);
    else if (item === ITEM_STRING) skipString(reader);
    else
      throw new RdbError('bad-value', `a module item of kind ${item} does not exist`, {
        offset: reader.offset - 1,
      });
  }
}

function decodeModule(context: ValueContext): void {
  const { reader, record } = context;
  const id = readNumber64(reader);
  record.moduleName = moduleName(id);
  record.moduleVersion = moduleVersion(id);
  record.elementCount = UNKNOWN;
  context.meter.begin(record);
  skipModuleItems(reader);
}

/** Written by release candidates of 4.0 only: after the id come bytes that only the module understands. */
function refuseModulePreGa({ reader }: ValueContext): void {
  const name = moduleName(readNumber64(reader));
  throw new RdbError(
    'unsupported-value',
    `a value of module ${name} is written in the form of Redis 4.0 release candidates, whose size only the module knows`,
    { offset: reader.offset },
  );
}

const ALL = ['redis', 'valkey', 'keydb', 'dragonfly'] as const;

export const moduleTypes: readonly ValueType[] = [
  {
    code: 6,
    name: 'MODULE_PRE_GA',
    dataType: 'module',
    dialects: ALL,
    writers: 'Redis 4.0 release candidates',
    decode: refuseModulePreGa,
  },
  {
    code: 7,
    name: 'MODULE_2',
    dataType: 'module',
    dialects: ALL,
    writers: 'Redis 4.0+, Valkey',
    decode: decodeModule,
  },
];
