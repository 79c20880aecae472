import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from 'better-sqlite3';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  ACTIONS,
  type Action,
  type Finding,
  loadRules,
  type RuleSettings,
  ruleCondition,
  runRules,
} from '../../findings/index.js';
import { parsePrintable } from '../../rdb-parser/printable.js';
import {
  jsonLines,
  type KeySelection,
  MOST_PER_BATCH,
  makePlan,
  type Plan,
  PlanError,
  type PlanRequest,
  prefixIdOf,
  redisCliLines,
  shellLines,
} from '../../remediation/index.js';
import { parseParameter } from '../../report/parameter.js';
import type { CliContext } from '../context.js';
import { openDatabase } from '../open-database.js';
import { paramOption, parseCount, typeOption } from '../options.js';
import { refuseOverwriting } from '../output-file.js';
import { UsageError } from '../usage-error.js';
import { settingsOf } from './findings.js';

const WRITERS: Readonly<Record<string, (plan: Plan) => Iterable<string>>> = {
  shell: shellLines,
  'redis-cli': redisCliLines,
  json: jsonLines,
};

interface PlanOptions {
  readonly for?: string;
  readonly key?: string;
  readonly prefix?: string;
  readonly db?: number;
  readonly type?: string;
  readonly action?: Action;
  readonly format: string;
  readonly output?: string;
  readonly batch?: number;
  readonly pause?: number;
  readonly tolerance?: number;
  readonly ttl?: number;
  readonly jitter?: number;
  readonly keep?: number;
  readonly side?: 'head' | 'tail' | 'low' | 'high';
  readonly buckets?: number;
  readonly bucketLimit?: number;
  readonly cluster?: boolean;
  readonly param?: Readonly<Record<string, string>>;
  readonly ruleFolder?: readonly string[];
}

export function planCommand(context: CliContext): Command {
  return new Command('plan')
    .description(
      'Writes what to do about a finding, a key or a prefix as a script to read and run. rdbscope itself never talks to the server.',
    )
    .argument('<database>', 'the .sqlite file that "load" or "analyze" wrote')
    .option('--for <finding>', 'the finding, by its id in "rdbscope findings"')
    .option('--key <key>', 'one key, as it is printed: user:1, bin\\xff')
    .option('--prefix <prefix>', "all keys below a prefix, as it is printed: 'session:{uuid}'")
    .option('--db <number>', 'only keys of this database', parseCount)
    .addOption(typeOption('only keys of this type'))
    .addOption(
      new Option('--action <action>', 'what to do (default: what the finding asks for)').choices(ACTIONS),
    )
    .addOption(
      new Option('-f, --format <format>', 'output format').choices(Object.keys(WRITERS)).default('shell'),
    )
    .option('-o, --output <file>', 'write there instead of standard output')
    .option('--batch <number>', `elements a call, at most ${MOST_PER_BATCH}`, parseCount)
    .option('--pause <ms>', 'milliseconds between two calls (default: 50)', parseCount)
    .option('--tolerance <share>', "how much a key's size may have changed (default: 10%)", share)
    .option('--ttl <time>', 'expire: the TTL, e.g. 1h, 30d (default: 7d)', seconds)
    .option('--jitter <time>', 'expire: random time on top (default: a fifth of the TTL)', seconds)
    .option('--keep <number>', 'trim: elements that stay (default: 5000)', parseCount)
    .addOption(
      new Option('--side <side>', 'trim: what is cut off; head or tail of lists, low or high scores').choices(
        ['head', 'tail', 'low', 'high'],
      ),
    )
    .option(
      '--buckets <number>',
      'split: how many buckets (default: so many that none is over the limit)',
      parseCount,
    )
    .option('--bucket-limit <number>', 'split: fields a bucket may have (default: 5000)', parseCount)
    .option('--cluster', 'the server is a cluster (default: what the snapshot tells)')
    .addOption(paramOption())
    .addOption(
      new Option(
        '--rule-folder <folder>',
        'a folder of your own rules; may be given several times',
      ).argParser((folder: string, before: readonly string[] | undefined) => [...(before ?? []), folder]),
    )
    .addHelpText(
      'after',
      `
Examples:
  rdbscope plan dump.sqlite --for 4370df3900 --ttl 30d -o sessions.sh
  rdbscope plan dump.sqlite --key rank:global --action trim --keep 1000 --side low
  rdbscope plan dump.sqlite --key user:all --action split --format redis-cli
  rdbscope plan dump.sqlite --prefix 'tmp:{n}' --action unlink --format json`,
    )
    .action(async (path: string, options: PlanOptions) => {
      const database = openDatabase(path);
      try {
        const plan = planOf(database, options);
        await write(WRITERS[options.format]!(plan), options.output, context);
      } catch (error) {
        throw error instanceof PlanError ? new UsageError(error.message) : error;
      } finally {
        database.close();
      }
    });
}

function planOf(database: Database, options: PlanOptions): Plan {
  const named = [options.for, options.key, options.prefix].filter((one) => one !== undefined);
  if (named.length !== 1) throw new UsageError('name one of --for, --key and --prefix');
  const target =
    options.for === undefined ? ownTarget(database, options) : findingTarget(database, options, options.for);
  const { batch, pause, tolerance, ttl, jitter, keep, side, buckets, bucketLimit, cluster } = options;
  return makePlan(database, {
    ...target,
    selection: narrowed(target.selection, options),
    batch,
    pauseMs: pause,
    tolerance,
    ttlSeconds: ttl,
    jitterSeconds: jitter,
    keep,
    side,
    buckets,
    bucketLimit,
    isCluster: cluster,
  });
}

type Target = Pick<PlanRequest, 'action' | 'selection' | 'subject'>;

/** Keys that the user names, not a finding. */
function ownTarget(database: Database, { key, prefix, action }: PlanOptions): Target {
  if (action === undefined) throw new UsageError(`--action is needed: ${ACTIONS.join(', ')}`);
  // Only keys without a TTL are given one.
  const condition = action === 'expire' ? 'expires_at_ms IS NULL' : '1';
  if (prefix !== undefined) {
    return {
      action,
      selection: { condition: { sql: condition, values: {} }, prefixId: prefixIdOf(database, prefix) },
      subject: `prefix "${prefix}"`,
    };
  }
  const bytes = Buffer.from(parsePrintable(key!));
  const values = { plan_key: bytes } as unknown as KeySelection['condition']['values'];
  return {
    action,
    selection: {
      condition: { sql: `(${condition}) AND CAST(key AS BLOB) = :plan_key`, values },
      prefixId: undefined,
    },
    subject: `key "${key}"`,
  };
}

function findingTarget(database: Database, options: PlanOptions, id: string): Target {
  const settings = settingsOf(options.param);
  const found = runRules(database, loadRules(options.ruleFolder), { settings }).find((one) => one.id === id);
  if (found === undefined) {
    throw new UsageError(`there is no finding "${id}" in this database; rdbscope findings lists them`);
  }
  const action = options.action ?? found.rule.action;
  if (action === undefined) {
    throw new UsageError(
      `there is no plan for "${found.rule.title}": ${found.rule.remedy} Or name an --action: ${ACTIONS.join(', ')}`,
    );
  }
  return {
    action,
    selection: selectionOf(found, settings),
    subject: `${found.subject.kind} "${found.subject.text}" (${found.rule.id})`,
  };
}

function selectionOf(finding: Finding, settings: RuleSettings): KeySelection {
  const { rule, severity, subject, exampleIds } = finding;
  if (subject.prefixId === undefined) {
    throw new UsageError(`a ${subject.kind} has no keys of its own to plan for: name a --key or a --prefix`);
  }
  if (subject.kind === 'key') {
    const only = exampleIds[0] ?? 0;
    return { condition: { sql: 'id = :plan_id', values: { plan_id: BigInt(only) } }, prefixId: undefined };
  }
  return { condition: ruleCondition(rule, severity, settings), prefixId: subject.prefixId };
}

function narrowed(selection: KeySelection, { db, type }: PlanOptions): KeySelection {
  const { condition, prefixId } = selection;
  const parts = [`(${condition.sql})`];
  const values: Record<string, KeySelection['condition']['values'][string]> = { ...condition.values };
  if (db !== undefined) {
    parts.push('db = :plan_db');
    values.plan_db = BigInt(db);
  }
  if (type !== undefined) {
    parts.push('type = :plan_type');
    values.plan_type = type;
  }
  return { condition: { sql: parts.join(' AND '), values }, prefixId };
}

/** Lines go out as they are made: a plan may have millions. */
async function write(
  lines: Iterable<string>,
  output: string | undefined,
  context: CliContext,
): Promise<void> {
  if (output === undefined) {
    for (const text of blocks(lines)) await context.stdout.write(text);
    return;
  }
  refuseOverwriting(output);
  await pipeline(Readable.from(blocks(lines)), createWriteStream(output, { mode: 0o600 }));
}

function* blocks(lines: Iterable<string>): Generator<string> {
  let text = '';
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < 2 ** 16) continue;
    yield text;
    text = '';
  }
  yield text;
}

function seconds(text: string): number {
  return Number(parsed('seconds', text));
}

function share(text: string): number {
  const value = Number(parsed('ratio', text));
  if (value >= 0 && value < 1) return value;
  throw new InvalidArgumentError('Give a share from 0 to below 100%.');
}

function parsed(kind: 'seconds' | 'ratio', text: string): unknown {
  try {
    return parseParameter({ name: 'it', kind, choices: [] }, text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
