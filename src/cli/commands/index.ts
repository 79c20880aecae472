import type { Command } from 'commander';
import type { CliContext } from '../context.js';
import { analyzeCommand } from './analyze.js';
import { calibrateCommand } from './calibrate.js';
import { findingsCommand } from './findings.js';
import { inspectCommand } from './inspect.js';
import { loadCommand } from './load.js';
import { planCommand } from './plan.js';
import { reportCommand } from './report.js';
import { reportsCommand } from './reports.js';
import { schemaCommand } from './schema.js';
import { sqlCommand } from './sql.js';
import { verifyCommand } from './verify.js';
import { whatIfCommand } from './what-if.js';

/** Every command, in the order of `--help`. */
export const commands: readonly ((context: CliContext) => Command)[] = [
  analyzeCommand,
  loadCommand,
  reportCommand,
  findingsCommand,
  planCommand,
  sqlCommand,
  verifyCommand,
  inspectCommand,
  whatIfCommand,
  calibrateCommand,
  reportsCommand,
  schemaCommand,
];
