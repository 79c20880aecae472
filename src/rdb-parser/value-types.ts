import type { Dialect } from './records.js';
import type { ValueType } from './value-context.js';
import { arrayTypes } from './values/array.js';
import { cronTypes } from './values/cron.js';
import { dragonflyTypes } from './values/dragonfly.js';
import { hashTypes } from './values/hash.js';
import { hashTemplateTypes } from './values/hash-template.js';
import { listTypes } from './values/list.js';
import { moduleTypes } from './values/module.js';
import { setTypes } from './values/set.js';
import { streamTypes } from './values/stream.js';
import { stringTypes } from './values/string.js';
import { zsetTypes } from './values/zset.js';

/** Every value type that is known, all dialects. */
export const valueTypes: readonly ValueType[] = [
  ...stringTypes,
  ...listTypes,
  ...setTypes,
  ...zsetTypes,
  ...hashTypes,
  ...hashTemplateTypes,
  ...streamTypes,
  ...moduleTypes,
  ...arrayTypes,
  ...dragonflyTypes,
  ...cronTypes,
];

/** Type byte → value type, for one dialect. */
export function valueTypeTable(dialect: Dialect): readonly (ValueType | undefined)[] {
  const table: (ValueType | undefined)[] = new Array<ValueType | undefined>(256).fill(undefined);
  for (const type of valueTypes) {
    if (type.dialects.includes(dialect)) table[type.code] = type;
  }
  return table;
}
