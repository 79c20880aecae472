import { describe, expect, it } from 'vitest';
import { HashTemplates } from '../../src/rdb-parser/hash-templates.js';

describe('hash templates', () => {
  it('are found by any id, and only those that are there', () => {
    const templates = new HashTemplates();
    const ids = [...Array.from({ length: 5000 }, (_, i) => i * 3), 2 ** 32, 2 ** 32 + 3, 2 ** 53 - 1];
    for (const id of ids) templates.set(id, { fields: id % 100, nameBytes: id });
    expect(templates.size).toBe(ids.length);
    for (const id of ids) expect(templates.get(id)).toEqual({ fields: id % 100, nameBytes: id });
    for (const id of [1, 2, 2 ** 32 + 1, 2 ** 40]) expect(templates.get(id)).toBeUndefined();
  });

  it('are replaced by later ones', () => {
    const templates = new HashTemplates();
    templates.set(7, { fields: 1, nameBytes: 1 });
    templates.set(7, { fields: 2, nameBytes: 9 });
    expect(templates.size).toBe(1);
    expect(templates.get(7)).toEqual({ fields: 2, nameBytes: 9 });
  });
});
