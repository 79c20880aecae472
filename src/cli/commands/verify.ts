import { Command } from 'commander';
import { visibleText } from '../../render/format-cell.js';
import { SourceError } from '../../source/source-error.js';
import { verifySnapshot } from '../../verify/verify.js';
import type { CliContext } from '../context.js';
import { DamageFound } from '../damage-found.js';
import { ProgressLine } from '../progress.js';
import { isRefusal, refusalJson, refusalLine } from '../refusal.js';
import { remarkLines, verdictLine, verificationJson } from '../verdict.js';

interface VerifyCommandOptions {
  readonly shallow?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly progress: boolean;
}

export function verifyCommand(context: CliContext): Command {
  return new Command('verify')
    .description(
      'Reads a snapshot to its end, looks into every value, compares the keys, and says in one line whether it is sound. Writes nothing.',
    )
    .argument('<snapshot...>', 'an RDB file, "-" for standard input')
    .option(
      '--shallow',
      'structure, counts and checksum only: no look into values, no comparing of keys (faster)',
    )
    .option('--strict', 'warnings count as damage')
    .option('--json', 'one JSON object per snapshot, on a line')
    .option('--no-progress', 'no progress line')
    .addHelpText(
      'after',
      `
Examples:
  rdbscope verify dump.rdb
  rdbscope verify --shallow /backup/*.rdb.gz
  rdbscope verify --json dump.rdb | jq '{sound, error, damage}'
  rdbscope verify dump.rdb || mail -s "last night's backup is damaged" dba@example.org

Exit codes: 0 all are sound; 3 one is damaged.`,
    )
    .action(async (inputs: string[], options: VerifyCommandOptions) => {
      let damaged = false;
      let failure: unknown;
      for (const input of inputs) {
        try {
          damaged = !(await verifyOne(input, options, context)) || damaged;
        } catch (error) {
          // the others are still worth their verdicts, unless somebody wants this to stop
          if (!(error instanceof SourceError) || inputs.length === 1) throw error;
          if (failure === undefined) failure = error;
          else await context.stderr.write(`rdbscope: ${visibleText(error.message)}\n`);
        }
      }
      if (failure !== undefined) throw failure;
      if (damaged) throw new DamageFound('a snapshot is damaged');
    });
}

async function verifyOne(
  input: string,
  options: VerifyCommandOptions,
  context: CliContext,
): Promise<boolean> {
  const { stdout, stderr, stdin, signal } = context;
  const progress = new ProgressLine(stderr);
  try {
    const verification = await verifySnapshot({
      input,
      stdin,
      signal,
      shallow: options.shallow ?? false,
      strict: options.strict ?? false,
      ...(options.progress ? { onProgress: progress.update } : {}),
    });
    await progress.clear();
    if (options.json === true) await stdout.write(`${JSON.stringify(verificationJson(verification))}\n`);
    else {
      await stdout.write(`${verdictLine(verification)}\n`);
      for (const line of remarkLines(verification)) await stderr.write(`${line}\n`);
    }
    return verification.sound;
  } catch (error) {
    await progress.clear();
    if (!isRefusal(error)) throw error;
    const json = options.json === true;
    await stdout.write(`${json ? JSON.stringify(refusalJson(input, error)) : refusalLine(input, error)}\n`);
    return false;
  }
}
