import { describe, expect, it } from 'vitest';
import {
  encodeCommand,
  NotRespError,
  type Reply,
  ReplyParser,
  ServerRefusal,
} from '../../src/calibrate/resp.js';

const STREAM =
  '+OK\r\n-ERR no\r\n:-7\r\n$-1\r\n$5\r\na\r\nbc\r\n*2\r\n$1\r\nk\r\n:3\r\n*-1\r\n*0\r\n$0\r\n\r\n';

const plain = (reply: Reply): unknown => {
  if (reply instanceof Uint8Array) return Buffer.from(reply).toString('latin1');
  if (reply instanceof ServerRefusal) return { refused: reply.message };
  return Array.isArray(reply) ? reply.map(plain) : reply;
};

const EXPECTED = ['OK', { refused: 'ERR no' }, -7, null, 'a\r\nbc', ['k', 3], null, [], ''];

describe('replies of a server', () => {
  it('are told apart', () => {
    expect(new ReplyParser().push(Buffer.from(STREAM)).map(plain)).toEqual(EXPECTED);
  });

  it.each([1, 2, 3, 7])('are the same when %i bytes come at a time', (bytes) => {
    const parser = new ReplyParser();
    const replies: unknown[] = [];
    for (let at = 0; at < STREAM.length; at += bytes) {
      replies.push(...parser.push(Buffer.from(STREAM.slice(at, at + bytes))).map(plain));
    }
    expect(replies).toEqual(EXPECTED);
  });

  it.each([
    'HTTP/1.1 400 Bad Request\r\n',
    '$many\r\n',
    '*1\r\n?\r\n',
    `+${'x'.repeat(70_000)}`,
    '*1\r\n'.repeat(20),
  ])('%j is no protocol of theirs', (text) => {
    expect(() => new ReplyParser().push(Buffer.from(text))).toThrow(NotRespError);
  });

  it('that announce more than there is only wait', () => {
    expect(new ReplyParser().push(Buffer.from('$999999999999\r\nabc'))).toEqual([]);
    expect(new ReplyParser().push(Buffer.from('*999999999999\r\n:1\r\n'))).toEqual([]);
  });
});

it('a command keeps every byte of a key', () => {
  const key = Uint8Array.of(0, 13, 10, 255);
  const bytes = encodeCommand(['OBJECT', 'ENCODING', key]);
  expect(bytes.toString('latin1')).toBe('*3\r\n$6\r\nOBJECT\r\n$8\r\nENCODING\r\n$4\r\n\0\r\n\xff\r\n');
});
