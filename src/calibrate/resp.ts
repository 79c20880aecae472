/** A reply of a server. Bulk strings are bytes: keys and texts alike. Source: Redis serialization protocol, RESP2. */
export type Reply = Uint8Array | string | number | null | ServerRefusal | readonly Reply[];

/** The server answers that it will not: `ERR unknown command`, `LOADING ...`, `NOAUTH ...`. */
export class ServerRefusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The bytes are no protocol: something else listens there. */
export class NotRespError extends Error {
  override readonly name = 'NotRespError';
}

/** Longest line before its end: a status or an error. */
const MAX_LINE_BYTES = 65_536;
/** Replies within replies: what we ask for has none. */
const MAX_DEPTH = 8;

/** Takes bytes as they come and gives whole replies. Nothing is made as large as a reply only says that it is. */
export class ReplyParser {
  private buffer: Buffer = Buffer.alloc(0);
  private at = 0;

  /** Adds bytes and returns the replies that are whole now. @throws NotRespError */
  push(chunk: Buffer): Reply[] {
    this.buffer =
      this.at < this.buffer.length ? Buffer.concat([this.buffer.subarray(this.at), chunk]) : chunk;
    this.at = 0;
    const replies: Reply[] = [];
    for (;;) {
      const start = this.at;
      const reply = this.read(0);
      if (reply === undefined) {
        this.at = start;
        return replies;
      }
      replies.push(reply);
    }
  }

  /** One reply from `at` on, undefined when it is not all there. */
  private read(depth: number): Reply | undefined {
    const line = this.line();
    if (line === undefined) return undefined;
    const rest = line.slice(1);
    switch (line.charAt(0)) {
      case '+':
        return rest;
      case '-':
        return new ServerRefusal(rest);
      case ':':
        return this.number(rest);
      case '$':
        return this.bulk(this.number(rest));
      case '*':
        return this.array(this.number(rest), depth);
      default:
        throw new NotRespError('what answers there speaks another protocol');
    }
  }

  private bulk(length: number): Uint8Array | null | undefined {
    if (length < 0) return null;
    const end = this.at + length;
    if (this.buffer.length < end + 2) return undefined;
    const bytes = this.buffer.subarray(this.at, end);
    this.at = end + 2;
    return bytes;
  }

  private array(count: number, depth: number): readonly Reply[] | null | undefined {
    if (count < 0) return null;
    if (depth === MAX_DEPTH) throw new NotRespError('the replies there are nested too deep');
    const items: Reply[] = [];
    for (let i = 0; i < count; i++) {
      const item = this.read(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  private line(): string | undefined {
    const end = this.buffer.indexOf('\r\n', this.at, 'latin1');
    if (end < 0) {
      if (this.buffer.length - this.at > MAX_LINE_BYTES) {
        throw new NotRespError('what answers there speaks another protocol');
      }
      return undefined;
    }
    const line = this.buffer.toString('utf8', this.at, end);
    this.at = end + 2;
    return line;
  }

  private number(text: string): number {
    if (!/^-?\d{1,15}$/.test(text)) throw new NotRespError('what answers there speaks another protocol');
    return Number(text);
  }
}

/** A command as it is sent. */
export function encodeCommand(parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces: Uint8Array[] = [Buffer.from(`*${parts.length}\r\n`)];
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    pieces.push(Buffer.from(`$${bytes.length}\r\n`), bytes, LINE_END);
  }
  return Buffer.concat(pieces);
}

const LINE_END = Buffer.from('\r\n');

/** Text of a status or bulk reply; undefined for anything else. */
export function replyText(reply: Reply | undefined): string | undefined {
  if (typeof reply === 'string') return reply;
  return reply instanceof Uint8Array ? Buffer.from(reply).toString() : undefined;
}
