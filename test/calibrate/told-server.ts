import { createServer, type Server, type Socket } from 'node:net';

/** What a test's server says to a command, by its words in upper case; the last words may be left out. */
export type Answers = Readonly<Record<string, string | (() => string)>>;

/** A server that says what it is told to, and keeps what it was asked. */
export class ToldServer {
  /** Every command, its words joined by blanks. */
  readonly asked: string[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(answers: Answers) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('data', (chunk) => {
        for (const command of commandsIn(chunk.toString('latin1'))) {
          this.asked.push(command);
          socket.write(answerTo(command, answers));
        }
      });
      socket.on('error', () => {});
    });
  }

  static async start(answers: Answers): Promise<ToldServer> {
    const told = new ToldServer(answers);
    await new Promise<void>((resolve) => told.server.listen(0, '127.0.0.1', resolve));
    return told;
  }

  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    return `127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A bulk reply. */
export function bulk(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

function answerTo(command: string, answers: Answers): string {
  const name = Object.keys(answers).find((start) => command.startsWith(start));
  if (name === undefined) return `-ERR unknown command '${command.split(' ')[0]}'\r\n`;
  const answer = answers[name]!;
  return typeof answer === 'string' ? answer : answer();
}

/** Commands come whole: tests send few bytes. */
function commandsIn(text: string): string[] {
  const commands: string[] = [];
  const lines = text.split('\r\n');
  for (let at = 0; at < lines.length - 1; ) {
    const parts = Number(lines[at]!.slice(1));
    const words = Array.from({ length: parts }, (_, i) => lines[at + 2 + 2 * i]!);
    commands.push(words.join(' '));
    at += 1 + 2 * parts;
  }
  return commands;
}
