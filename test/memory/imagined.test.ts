import { describe, expect, it } from 'vitest';
import { ImaginedMemory, profileFor } from '../../src/memory/index.js';

const imagined = new ImaginedMemory(profileFor({ serverVersion: '7.2.6' }).profile);
const plain = { keyBytes: 6, hasExpiry: false, elements: 1, elementBytes: 0, valueBytes: 0 } as const;

describe('what a key would take that is not there', () => {
  it('is what 7.2 says of such a key: values measured with MEMORY USAGE', () => {
    expect(imagined.bytes({ ...plain, type: 'string', keyBytes: 9, valueBytes: 12 })).toBe(72);
    expect(imagined.bytes({ ...plain, type: 'string', keyBytes: 9, valueBytes: undefined })).toBe(56);
    expect(imagined.bytes({ ...plain, type: 'hash', elements: 3, elementBytes: 10, valueBytes: 20 })).toBe(
      160,
    );
    expect(imagined.bytes({ ...plain, type: 'hash', elements: 1000, elementBytes: 10, valueBytes: 20 })).toBe(
      72_296,
    );
  });

  it('can be asked for packed or not, whatever the limits', () => {
    const hash = { ...plain, type: 'hash', elements: 1000, elementBytes: 10, valueBytes: 20 } as const;
    const packed = imagined.bytes({ ...hash, form: 'packed' });
    expect(packed).toBeLessThan(42_000);
    expect(imagined.bytes({ ...hash, form: 'table' })).toBe(imagined.bytes(hash));
    expect(imagined.bytes({ ...hash, elements: 3, form: 'table' })).toBeGreaterThan(300);
  });

  it('takes means: fractions are spread over the elements', () => {
    const set = { ...plain, type: 'set', elements: 200, elementBytes: 10.5, valueBytes: undefined } as const;
    const shorter = imagined.bytes({ ...set, elementBytes: 10, form: 'packed' });
    const longer = imagined.bytes({ ...set, elementBytes: 11, form: 'packed' });
    const mean = imagined.bytes({ ...set, form: 'packed' });
    expect(mean).toBeGreaterThanOrEqual(shorter);
    expect(mean).toBeLessThanOrEqual(longer);
  });
});
