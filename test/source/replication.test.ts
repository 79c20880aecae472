import { describe, expect, it } from 'vitest';
import { readPiped, snapshotBytes } from './reading.js';

const mark = '0123456789abcdef0123456789abcdef01234567';
const original = snapshotBytes(2000);

describe('a replication capture', () => {
  it.each([
    ['the end mark', `$EOF:${mark}\r\n`, mark, undefined],
    ['the length', '$2000\r\n', undefined, 2000],
    ['keep-alives', '\n\n\n\n', undefined, undefined],
    ['a whole handshake', `+PONG\r\n+OK\r\n+FULLRESYNC ${mark} 14\r\n\n\n$EOF:${mark}\r\n`, mark, undefined],
    ['a partial resync line', `+CONTINUE ${mark}\r\n$2000\r\n`, undefined, 2000],
  ])('is read from behind %s', async (_, head, expectedMark, announced) => {
    for (const chunkBytes of [1, 7, 4096]) {
      const outcome = await readPiped(Buffer.concat([Buffer.from(head), original]), chunkBytes);
      expect(outcome.fault).toBeUndefined();
      expect(outcome.bytes.equals(original)).toBe(true);
      expect(outcome.container).toBe('replication');
      const framing = outcome.input?.framing;
      expect(framing?.bytes).toBe(head.length);
      expect(framing?.announcedBytes).toBe(announced);
      expect(framing?.mark === undefined ? undefined : Buffer.from(framing.mark).toString()).toBe(
        expectedMark,
      );
    }
  });

  it('gives what follows the snapshot too', async () => {
    const whole = Buffer.concat([
      Buffer.from(`$EOF:${mark}\r\n`),
      original,
      Buffer.from(mark),
      Buffer.from('*1\r\n'),
    ]);
    const outcome = await readPiped(whole);
    expect(outcome.bytes.subarray(original.length).toString()).toBe(`${mark}*1\r\n`);
  });

  it.each(['$EOF:short\r\n', '$12a\r\n', '+no line end', '+FULLRESYNC x 1\r\nand no snapshot'])(
    'is not seen in %j',
    async (text) => {
      const { fault } = await readPiped(Buffer.from(text));
      expect(fault?.code).toBe('foreign');
      expect(fault?.problem).toContain('(text)');
    },
  );
});
