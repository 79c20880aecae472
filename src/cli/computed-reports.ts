import { InvalidArgumentError } from 'commander';
import type { ModelOptions } from '../load-protocol.js';
import { ALLOCATOR_NAMES } from '../memory/allocator.js';
import { THRESHOLDS, type ThresholdName } from '../memory/thresholds.js';
import type { ParameterDefinition, ReportDefinition } from '../report/definition.js';
import type { ReportDocument } from '../report/document.js';
import { ReportError } from '../report/errors.js';
import type { CliContext } from './context.js';
import { parseServerVersion, parseThreshold, parseWordSize } from './model-options.js';

export interface ComputedReport {
  /** For lists and help; there is no SQL. */
  readonly definition: ReportDefinition;
  /** @param settings parameters as text, dashes as underscores */
  readonly run: (
    databasePath: string,
    settings: Readonly<Record<string, string>>,
    context: CliContext,
  ) => Promise<{ readonly document: ReportDocument; readonly error: Error | undefined }>;
}

const TOP = 10;

const parameters: readonly ParameterDefinition[] = [
  text('server', 'The other version: 8.2, valkey-8.1.'),
  { ...text('allocator', 'The other allocator.'), kind: 'choice', choices: ALLOCATOR_NAMES },
  { ...text('word_size', 'The other word size.'), kind: 'choice', choices: ['32', '64'] },
  { ...text('cluster', 'Cluster mode.'), kind: 'choice', choices: ['yes', 'no'] },
  ...Object.values(THRESHOLDS).map(({ settings, meaning }) =>
    text(settings[0]!.replaceAll('-', '_'), `The other limit: ${meaning}.`),
  ),
  { ...text('top', 'Rows per table; 0 shows all.'), kind: 'limit', default: BigInt(TOP) },
];

const whatIf: ComputedReport = {
  definition: {
    id: 'what-if',
    path: 'what-if',
    title: 'What if',
    summary:
      'What another server version or other encoding limits would change in memory; reads the snapshot again.',
    order: 200,
    parameters,
    facts: undefined,
    notes: [],
    sections: [],
  },
  run: async (databasePath, settings, context) => {
    const { askWhatIf } = await import('./ask-what-if.js');
    const { whatIfDocument } = await import('../what-if/what-if-document.js');
    const top = settings.top === undefined ? TOP : setting('top', settings.top, parseThreshold);
    const asRecorded = { separators: undefined, patternRules: undefined };
    const question = { inputs: [databasePath], now: {}, ...asRecorded, top, progress: true };
    const result = await askWhatIf({ ...question, change: changeOf(settings) }, context);
    return { document: whatIfDocument(result, top), error: result.error };
  },
};

/** @throws ReportError `bad-parameter` for an unknown name or a value that is none */
function changeOf(settings: Readonly<Record<string, string>>): ModelOptions {
  const names = parameters.map(({ name }) => name);
  const thresholds: Partial<Record<ThresholdName, number>> = {};
  for (const [name, value] of Object.entries(settings)) {
    const known = (
      Object.entries(THRESHOLDS) as [ThresholdName, { readonly settings: readonly string[] }][]
    ).find(([, guide]) => guide.settings.some((alias) => alias.replaceAll('-', '_') === name));
    if (known !== undefined) thresholds[known[0]] = setting(name, value, parseThreshold);
    else if (!names.includes(name)) {
      throw new ReportError(
        'bad-parameter',
        `report what-if has no parameter "${name}"; it has ${names.join(', ')}`,
      );
    }
  }
  const wordSize = oneOf('word_size', settings, ['32', '64']);
  const cluster = oneOf('cluster', settings, ['yes', 'no']);
  return {
    serverVersion: settings.server && setting('server', settings.server, parseServerVersion),
    allocator: oneOf('allocator', settings, ALLOCATOR_NAMES),
    wordBits: wordSize === undefined ? undefined : parseWordSize(wordSize),
    cluster: cluster === undefined ? undefined : cluster === 'yes',
    thresholds,
  };
}

function setting<Value>(name: string, text: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new ReportError('bad-parameter', `report what-if: ${name} is not "${text}". ${error.message}`);
  }
}

function oneOf<Choice extends string>(
  name: string,
  settings: Readonly<Record<string, string>>,
  choices: readonly Choice[],
): Choice | undefined {
  const text = settings[name];
  if (text === undefined) return undefined;
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  throw new ReportError(
    'bad-parameter',
    `report what-if: ${name} is one of ${choices.join(', ')}, not "${text}"`,
  );
}

function text(name: string, description: string): ParameterDefinition {
  return { name, kind: 'text', choices: [], default: null, description };
}

/** Reports that read the snapshots again instead of the database; they are asked for alone, by name. */
export const computedReports: ReadonlyMap<string, ComputedReport> = new Map([['what-if', whatIf]]);
