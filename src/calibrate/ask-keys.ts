import type { ErrorTable, ServerAnswer } from './error-table.js';
import type { ModelledKey } from './key-sample.js';
import { type Reply, replyText, ServerRefusal } from './resp.js';
import { type ReadCommand, type ServerConnection, ServerProblem } from './server-connection.js';

/** Keys asked for at once: two commands each. */
const KEYS_AT_ONCE = 200;

/** Asks the server for its figures of these keys and enters them in the table. @throws ServerProblem; the signal's reason */
export async function askKeys(
  connection: ServerConnection,
  keys: readonly ModelledKey[],
  table: ErrorTable,
  signal?: AbortSignal,
): Promise<void> {
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    signal?.throwIfAborted();
    await askBatch(connection, keys.slice(start, start + KEYS_AT_ONCE), table);
  }
}

async function askBatch(
  connection: ServerConnection,
  keys: readonly ModelledKey[],
  table: ErrorTable,
): Promise<void> {
  const commands: ReadCommand[] = [];
  const places: { readonly key: ModelledKey; readonly at: number }[] = [];
  let db: number | undefined;
  for (const key of keys) {
    if (key.db !== db) commands.push(['SELECT', String(key.db)]);
    db = key.db;
    places.push({ key, at: commands.length });
    commands.push(['MEMORY', 'USAGE', key.key, 'SAMPLES', '0'], ['OBJECT', 'ENCODING', key.key]);
  }
  const replies = await connection.ask(commands);
  for (const [i, reply] of replies.entries()) refuse(connection, commands[i]!, reply);
  for (const { key, at } of places) table.add(key, answerOf(replies[at], replies[at + 1]));
}

function answerOf(memory: Reply | undefined, encoding: Reply | undefined): ServerAnswer {
  return {
    memoryBytes: typeof memory === 'number' ? memory : undefined,
    // From 7.0 on nil for a key that is not there; an error before.
    encoding: encoding instanceof ServerRefusal ? undefined : replyText(encoding),
  };
}

/** A refusal of anything but an encoding leaves nothing to compare. */
function refuse(connection: ServerConnection, command: ReadCommand, reply: Reply): void {
  if (!(reply instanceof ServerRefusal) || command[0] === 'OBJECT') return;
  const what = command[0] === 'SELECT' ? `SELECT ${command[1]}` : 'MEMORY USAGE';
  const hint = /unknown command/i.test(reply.message) ? '; it came with Redis 4.0' : '';
  throw new ServerProblem(`${connection.name} refuses ${what}: ${reply.message}${hint}`);
}
