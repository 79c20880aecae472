import { connect, type Socket } from 'node:net';
import { encodeCommand, type Reply, ReplyParser, ServerRefusal } from './resp.js';

/** All that is ever asked of a server; nothing of it changes a key. */
export type ReadCommand =
  | readonly ['INFO', section: string]
  | readonly ['CONFIG', 'GET', pattern: string]
  | readonly ['MEMORY', 'MALLOC-STATS']
  | readonly ['SELECT', db: string]
  | readonly ['MEMORY', 'USAGE', key: Uint8Array, 'SAMPLES', '0']
  | readonly ['OBJECT', 'ENCODING', key: Uint8Array];

/** Where a server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
}

/** The server can't be asked; `message` is a sentence for the user. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
}

interface Question {
  readonly replies: Reply[];
  readonly wanted: number;
  resolve(replies: readonly Reply[]): void;
  reject(error: Error): void;
}

/** A connection that commands are sent over many at a time. */
export class ServerConnection {
  readonly name: string;
  private readonly socket: Socket;
  private readonly parser = new ReplyParser();
  private readonly questions: Question[] = [];
  private failure: Error | undefined;
  private end: Promise<string> | undefined;

  private constructor(socket: Socket, name: string) {
    this.socket = socket;
    this.name = name;
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.broken(`${name}: ${error.message}`));
    socket.on('close', () => this.broken(`${name} closed the connection`));
  }

  /** @throws ServerProblem when nobody listens there, or the password is wrong */
  static async open(address: ServerAddress, signal?: AbortSignal): Promise<ServerConnection> {
    const { host, port, user, password } = address;
    const name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const socket = await new Promise<Socket>((resolve, reject) => {
      const opening = connect({ host, port, noDelay: true, ...(signal === undefined ? {} : { signal }) });
      opening.setTimeout(CONNECT_MS, () =>
        opening.destroy(new Error('it does not answer. Check address, port and firewall')),
      );
      opening.once('connect', () => {
        opening.setTimeout(0);
        resolve(opening);
      });
      opening.once('error', (error) =>
        reject(
          signal?.aborted === true ? signal.reason : new ServerProblem(`${name}: ${connectProblem(error)}`),
        ),
      );
    });
    const connection = new ServerConnection(socket, name);
    if (password !== undefined) {
      const credentials = user === undefined ? [password] : [user, password];
      const [reply] = await connection.send([encodeCommand(['AUTH', ...credentials])]);
      if (reply instanceof ServerRefusal) {
        connection.close();
        throw new ServerProblem(`${name} does not take the password: ${reply.message}`);
      }
    }
    return connection;
  }

  /** Sends commands at once and gives their replies in order. @throws ServerProblem when the connection breaks */
  ask(commands: readonly ReadCommand[]): Promise<readonly Reply[]> {
    return this.send(commands.map((command) => encodeCommand(command)));
  }

  /** What ends the server will say why; a closed connection alone does not. */
  explainEnd(end: Promise<string>): void {
    this.end = end;
  }

  close(): void {
    this.failure ??= new ServerProblem(`${this.name}: the connection is closed`);
    this.socket.destroy();
  }

  private broken(problem: string): void {
    if (this.failure !== undefined) return;
    const patience = new Promise<string>((resolve) => {
      setTimeout(resolve, EXPLANATION_MS, problem).unref();
    });
    const reason = this.end === undefined ? Promise.resolve(problem) : Promise.race([this.end, patience]);
    reason.then((text) => this.fail(new ServerProblem(text)));
  }

  private send(commands: readonly Buffer[]): Promise<readonly Reply[]> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) reject(this.failure);
      else if (commands.length === 0) resolve([]);
      else {
        this.questions.push({ replies: [], wanted: commands.length, resolve, reject });
        this.socket.write(Buffer.concat(commands));
      }
    });
  }

  private take(chunk: Buffer): void {
    try {
      for (const reply of this.parser.push(chunk)) {
        const question = this.questions[0];
        if (question === undefined) continue;
        question.replies.push(reply);
        if (question.replies.length < question.wanted) continue;
        this.questions.shift();
        question.resolve(question.replies);
      }
    } catch (error) {
      this.fail(new ServerProblem(`${this.name}: ${(error as Error).message}`));
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const question of this.questions.splice(0)) question.reject(this.failure);
    this.socket.destroy();
  }
}

/** What the system said, and what to do. */
function connectProblem(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  // Two addresses of one name that both refuse come as one error with no text.
  const said = error.message === '' ? code : error.message;
  return CONNECT_PROBLEMS[code] ?? said;
}

const CONNECT_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'nobody listens there. Start a server that has loaded the snapshot, or have one started: --redis-server redis-server',
  ENOTFOUND: 'there is no host of that name. Check the spelling; give HOST:PORT',
  EAI_AGAIN: 'the name of the host cannot be looked up now. Give its address, or try again',
  EHOSTUNREACH: 'there is no way to that host. Check address and network',
  ENETUNREACH: 'there is no way to that network. Check address and network',
  ETIMEDOUT: 'it does not answer. Check address, port and firewall',
  ECONNRESET: 'it closed the connection at once. Is this the port of a Redis or Valkey server, without TLS?',
};

const CONNECT_MS = 10_000;
/** A server that dies closes its connections before it is gone. */
const EXPLANATION_MS = 2_000;

/**
 * `localhost:6379`, `[::1]:6379`, `redis://user:password@host:6379`. A password may also come from the environment.
 * @throws ServerProblem for anything else
 */
export function parseAddress(text: string, password: string | undefined): ServerAddress {
  let url: URL;
  try {
    url = new URL(text.includes('://') ? text : `redis://${text}`);
  } catch {
    throw new ServerProblem(`"${text}" is no address: give HOST:PORT`);
  }
  if (url.protocol !== 'redis:' || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw new ServerProblem(`"${text}" is no address that can be asked: give HOST:PORT or redis://HOST:PORT`);
  }
  const given = url.password === '' ? password : decodeURIComponent(url.password);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 6379 : Number(url.port),
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
    ...(given === undefined || given === '' ? {} : { password: given }),
  };
}
