import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ModelOptions } from '../load-protocol.js';
import { ALLOCATOR_NAMES, type AllocatorName } from '../memory/allocator.js';
import { knownServers } from '../memory/choose-profile.js';
import { parseServerConfig, type ServerConfig } from '../memory/server-config.js';
import { THRESHOLDS, type ThresholdName } from '../memory/thresholds.js';
import { readNamedFile } from './named-file.js';
import { UsageError } from './usage-error.js';

/** Options of every command that models memory; the thresholds stand beside them under their settings' names. */
export interface ModelCommandOptions {
  readonly serverVersion?: string;
  readonly wordSize?: 32 | 64;
  readonly allocator?: AllocatorName;
  readonly cluster?: boolean;
  readonly config?: string;
}

/** Adds what tells of the server whose memory is modelled. */
export function addModelOptions(
  command: Command,
  heading = 'The server whose memory is modelled (default: what the file tells of the one that saved it):',
): Command {
  addServerOptions(command, heading);
  return addThresholdOptions(command, 'Encoding limits, named as in redis.conf, over those of --config:');
}

/** Adds all of it but the limits. */
export function addServerOptions(command: Command, heading: string): Command {
  return command
    .optionsGroup(heading)
    .addOption(
      new Option('--server-version <version>', 'its version: 7.2, valkey-8.1').argParser(parseServerVersion),
    )
    .addOption(new Option('--word-size <bits>', '32 or 64').argParser(parseWordSize))
    .addOption(
      new Option(
        '--allocator <name>',
        'its allocator: jemalloc (official images, source builds; default), jemalloc-q16 (packages of Debian and others), libc',
      ).choices(ALLOCATOR_NAMES),
    )
    .option('--cluster', 'it runs in cluster mode (told by the file from 7.4 and Valkey 8.0 on)')
    .option('--config <file>', 'its redis.conf: encoding limits and cluster mode are taken from it')
    .optionsGroup('Options:');
}

/** Adds an option per threshold; old names of a setting are taken too, and not shown. */
export function addThresholdOptions(command: Command, heading: string): Command {
  for (const { settings, meaning, default: usual } of Object.values(THRESHOLDS)) {
    for (const [age, setting] of settings.entries()) {
      const option = new Option(`--${setting} <n>`, `${meaning} (${usual})`)
        .argParser(parseThreshold)
        .helpGroup(heading);
      command.addOption(age === 0 ? option : option.hideHelp());
    }
  }
  return command.optionsGroup('Options:');
}

/** What the model is asked for. @throws UsageError for a configuration that can't be used; a system error */
export function modelOptions(options: ModelCommandOptions): ModelOptions {
  const server = serverOptions(options);
  return { ...server, thresholds: { ...server.thresholds, ...givenThresholds(options) } };
}

/** The same without limits given as options. */
export function serverOptions(options: ModelCommandOptions): ModelOptions {
  const config = options.config === undefined ? undefined : readServerConfig(options.config);
  return {
    serverVersion: options.serverVersion,
    wordBits: options.wordSize,
    allocator: options.allocator,
    cluster: options.cluster ?? config?.cluster,
    thresholds: config?.thresholds,
  };
}

/** The thresholds given as options. @throws UsageError when two names of one setting say different things */
export function givenThresholds(options: object): Partial<Record<ThresholdName, number>> {
  const given = options as Readonly<Record<string, unknown>>;
  const thresholds: Partial<Record<ThresholdName, number>> = {};
  for (const [name, { settings }] of Object.entries(THRESHOLDS) as [
    ThresholdName,
    { readonly settings: readonly string[] },
  ][]) {
    for (const setting of settings) {
      const value = given[new Option(`--${setting} <n>`).attributeName()];
      if (typeof value !== 'number') continue;
      if (thresholds[name] !== undefined && thresholds[name] !== value) {
        throw new UsageError(`--${settings[0]} and --${setting} are one setting and say different things`);
      }
      thresholds[name] = value;
    }
  }
  return thresholds;
}

/** @throws UsageError naming the lines that can't be used */
export function readServerConfig(path: string): ServerConfig {
  const config = parseServerConfig(readNamedFile(path));
  if (config.problems.length > 0) throw new UsageError(`${path}: ${config.problems.join('; ')}`);
  return config;
}

/** @throws InvalidArgumentError for what is no version; one that is not known is taken as the nearest, with a warning */
export function parseServerVersion(text: string): string {
  if (/^(?:(?:redis|valkey|keydb)[- ])?v?\d{1,3}(?:\.\d{1,3}){0,2}(?:-[\w.]+)?$/i.test(text)) return text;
  throw new InvalidArgumentError(
    `Give a version such as 7.2 or valkey-8.1. Known: ${knownServers().join(', ')}.`,
  );
}

export function parseWordSize(text: string): 32 | 64 {
  if (text === '32' || text === '64') return text === '32' ? 32 : 64;
  throw new InvalidArgumentError('Give 32 or 64.');
}

/** @throws InvalidArgumentError for anything but a whole number; node sizes of lists are negative */
export function parseThreshold(text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number.');
}
