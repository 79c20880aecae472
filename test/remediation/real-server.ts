import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeCommand, type Reply, ReplyParser, ServerRefusal } from '../../src/calibrate/resp.js';

type Word = string | number | Uint8Array;

/** Of the redis-server that plans are tried on, undefined where there is none. */
export const redisVersion = /v=([\d.]+)/.exec(
  spawnSync('redis-server', ['--version']).stdout?.toString() ?? '',
)?.[1];
export const redisIsHere = redisVersion !== undefined;

/** A redis-server of our own on a private port, in a folder of its own; end it with `stop`. */
export class RealServer {
  readonly port: number;
  readonly folder: string;
  private readonly process: ChildProcess;
  private readonly socket: Socket;
  private readonly parser = new ReplyParser();
  private readonly waiting: ((reply: Reply) => void)[] = [];

  private constructor(port: number, folder: string, process: ChildProcess, socket: Socket) {
    this.port = port;
    this.folder = folder;
    this.process = process;
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const reply of this.parser.push(chunk)) this.waiting.shift()?.(reply);
    });
  }

  /** @param snapshot what it begins with @param settings of its redis.conf */
  static async start(
    snapshot?: Uint8Array,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<RealServer> {
    const folder = mkdtempSync(join(tmpdir(), 'rdbscope-plan-'));
    if (snapshot !== undefined) writeFileSync(join(folder, 'dump.rdb'), loadable(snapshot));
    const port = await freePort();
    const all = {
      port,
      bind: '127.0.0.1',
      save: '',
      appendonly: 'no',
      dir: folder,
      logfile: 'log',
      ...settings,
    };
    const server = spawn(
      'redis-server',
      Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]),
    );
    for (let tries = 0; ; tries++) {
      const socket = await connected(port);
      if (socket !== undefined) return new RealServer(port, folder, server, socket);
      if (tries > 200) throw new Error('redis-server does not answer');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** @throws Error when the server refuses */
  async ask(...words: Word[]): Promise<Reply> {
    const [reply] = await this.askAll([words]);
    return reply as Reply;
  }

  async askAll(commands: readonly (readonly Word[])[]): Promise<readonly Reply[]> {
    const replies = commands.map((words) => {
      const reply = new Promise<Reply>((resolve) => this.waiting.push(resolve));
      this.socket.write(encodeCommand(words.map((word) => (typeof word === 'number' ? String(word) : word))));
      return reply;
    });
    return (await Promise.all(replies)).map((reply) => {
      if (reply instanceof ServerRefusal) throw new Error(reply.message);
      return reply;
    });
  }

  /** What every key of some databases is: its serialized value, and whether it expires. */
  async contents(databases: readonly number[] = [0, 1]): Promise<Map<string, string>> {
    const contents = new Map<string, string>();
    for (const db of databases) {
      await this.ask('SELECT', db);
      const keys = (await this.ask('KEYS', '*')) as Uint8Array[];
      const dumps = await this.askAll(keys.map((key) => ['DUMP', key]));
      const ttls = await this.askAll(keys.map((key) => ['PTTL', key]));
      for (const [i, key] of keys.entries()) {
        const expires = Number(ttls[i]) >= 0 ? 'expires' : 'stays';
        contents.set(
          `${db}/${Buffer.from(key).toString('latin1')}`,
          `${expires} ${Buffer.from(dumps[i] as Uint8Array).toString('base64')}`,
        );
      }
    }
    await this.ask('SELECT', 0);
    return contents;
  }

  async stop(): Promise<void> {
    this.socket.destroy();
    this.process.kill();
    await new Promise((resolve) => this.process.once('exit', resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * The same snapshot as an older server takes it: the version in the header is lowered, and without a checksum, which
 * would no longer fit. Nothing in it may be newer than that.
 */
function loadable(snapshot: Uint8Array): Uint8Array {
  const bytes = Buffer.from(snapshot);
  if (Number(bytes.toString('latin1', 5, 9)) <= 10) return bytes;
  bytes.write('0010', 5, 'latin1');
  bytes.fill(0, bytes.length - 8);
  return bytes;
}

function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
