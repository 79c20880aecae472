/** Plans: what to do about findings, for people to read and run. Nothing here talks to a server. */
export { makePlan } from './make-plan.js';
export { type Plan, PlanError, type PlanKey, type PlanSnapshot, type PlanStep } from './plan.js';
export { type KeySelection, prefixIdOf } from './plan-keys.js';
export { bucketsFor, MOST_PER_BATCH, type PlanRequest } from './planner.js';
export { redisLine, redisQuoted } from './quoting.js';
export { bucketOf, type PlanScript, planScript, type ScriptName } from './scripts.js';
export { jsonLines } from './write-json.js';
export { redisCliLines } from './write-redis-cli.js';
export { shellLines } from './write-shell.js';
