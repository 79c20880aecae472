import { Command } from 'commander';
import { type CalibrationRequest, calibrate } from '../../calibrate/calibrate.js';
import { calibrationDocument } from '../../calibrate/calibration-document.js';
import { parseAddress } from '../../calibrate/server-connection.js';
import type { CliContext } from '../context.js';
import { addModelOptions, type ModelCommandOptions, modelOptions } from '../model-options.js';
import { addFormatOptions, type OutputOptions, parseCount } from '../options.js';
import { printDocuments } from '../output.js';
import { ProgressLine } from '../progress.js';
import { UsageError } from '../usage-error.js';

interface CalibrateOptions extends ModelCommandOptions, OutputOptions {
  readonly redis?: string;
  readonly redisServer?: string;
  readonly sample: number;
  readonly all?: boolean;
  readonly top: number;
  readonly progress: boolean;
}

/** Keys of a kind that are held at most; --all holds none. */
const MOST_SAMPLED = 10_000;

export function calibrateCommand(context: CliContext): Command {
  const command = new Command('calibrate')
    .description(
      'Asks a scratch server that has loaded the snapshot for MEMORY USAGE and OBJECT ENCODING of its keys, and shows how far the model is off. Nothing is written to the server; on a busy one the question costs time, as MEMORY USAGE looks at every element.',
    )
    .argument('<snapshot>', 'an RDB file, "-" for standard input')
    .option('--redis <host:port>', 'a server that has loaded it; a password is taken from REDISCLI_AUTH')
    .option(
      '--redis-server <program>',
      'start this redis-server or valkey-server on a free port of 127.0.0.1, and end it afterwards',
    )
    .option(
      '--sample <keys>',
      `keys asked for of each type and encoding, at most ${MOST_SAMPLED}`,
      parseCount,
      1000,
    )
    .option('--all', 'ask for every key')
    .option('--top <rows>', 'keys told one by one, at most 100', parseCount, 10)
    .option('-o, --output <file>', 'write there instead of standard output')
    .option('--no-progress', 'no progress line');
  return addModelOptions(addFormatOptions(command), 'The server (default: what it tells itself):')
    .addHelpText(
      'after',
      `
Examples:
  rdbscope calibrate dump.rdb --redis-server redis-server
  rdbscope calibrate dump.rdb --redis 127.0.0.1:7777 --all
  rdbscope calibrate dump.rdb --redis-server /opt/valkey/bin/valkey-server --format json`,
    )
    .action(async (input: string, options: CalibrateOptions) => {
      const progress = new ProgressLine(context.stderr);
      try {
        const calibration = await calibrate({
          input,
          server: serverOf(options, context),
          sample: options.all === true ? undefined : sampleSize(options.sample),
          model: modelOptions(options),
          stdin: context.stdin,
          signal: context.signal,
          onProgress: options.progress ? progress.update : undefined,
        });
        await progress.clear();
        await printDocuments([calibrationDocument(calibration, options.top)], options, context);
      } finally {
        await progress.clear();
      }
    });
}

function serverOf(
  { redis, redisServer }: CalibrateOptions,
  { env }: CliContext,
): CalibrationRequest['server'] {
  if (redis !== undefined && redisServer === undefined) {
    return { kind: 'running', address: parseAddress(redis, env.REDISCLI_AUTH) };
  }
  if (redis === undefined && redisServer !== undefined) return { kind: 'scratch', program: redisServer };
  throw new UsageError(
    'give a server that has loaded the snapshot, --redis HOST:PORT, or --redis-server PROGRAM to start one',
  );
}

function sampleSize(keys: number): number {
  if (keys >= 1 && keys <= MOST_SAMPLED) return keys;
  throw new UsageError(
    `--sample is 1 to ${MOST_SAMPLED} keys of each type and encoding; --all asks for every key`,
  );
}
