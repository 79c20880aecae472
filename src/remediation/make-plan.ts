import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Action } from '../findings/index.js';
import { printableBytes } from '../rdb-parser/printable.js';
import { type Plan, PlanError, type PlanSnapshot } from './plan.js';
import { countKeys, findKey, planKeys, planSnapshot } from './plan-keys.js';
import { Planner, type PlanRequest } from './planner.js';

/**
 * Plans what to do with keys. Nothing is done: the plan is for people to read and run.
 * @throws PlanError when the action does not fit, or there are no keys
 */
export function makePlan(database: Database.Database, request: PlanRequest): Plan {
  const { action, selection, subject } = request;
  const snapshot = withCluster(planSnapshot(database), request.isCluster);
  const { keys, memoryBytes } = countKeys(database, selection);
  if (keys === 0) throw new PlanError(`there are no such keys: ${subject}`);
  const plan = new Planner(request, snapshot, planId(request, snapshot));
  refuseUnsuitable(database, request);
  return {
    id: plan.id,
    action,
    title: `${VERBS[action]} ${subject}`,
    cautions: plan.cautions(keys),
    snapshot,
    keys,
    memoryBytes,
    pauseMs: plan.pauseMs,
    scripts: plan.scripts,
    steps: () => plan.steps(planKeys(database, selection)),
  };
}

const VERBS: Readonly<Record<Action, string>> = {
  unlink: 'delete',
  drain: 'empty and delete in batches',
  trim: 'cut to size in batches',
  expire: 'give a TTL to',
  split: 'split into buckets',
};

/** @throws PlanError when the action does not fit one of the keys, before anything is written */
function refuseUnsuitable(database: Database.Database, { action, selection }: PlanRequest): void {
  const refuse = (condition: string, why: (name: string, type: string) => string): void => {
    const key = findKey(database, selection, condition);
    if (key !== undefined) throw new PlanError(why(printableBytes(key.key), key.type));
  };
  if (action === 'trim') {
    refuse("type NOT IN ('list', 'zset', 'stream')", (name, type) => {
      return `"${name}" is a ${type}, which has no order to trim by: drain or split it`;
    });
  }
  if (action === 'split') {
    refuse("type <> 'hash'", (name, type) => `"${name}" is a ${type}: only a hash can be split into buckets`);
    refuse('fields_with_ttl > 0', (name) => {
      return `"${name}" has fields with a TTL of their own, which copying would lose`;
    });
  }
}

function withCluster(snapshot: PlanSnapshot, isCluster: boolean | undefined): PlanSnapshot {
  return isCluster === undefined ? snapshot : { ...snapshot, isCluster };
}

/** The same plan of the same snapshot has the same id, so that a second run goes on where the first one stopped. */
function planId({ action, subject }: PlanRequest, { path, createdAtMs }: PlanSnapshot): string {
  return createHash('sha256')
    .update([action, subject, path, String(createdAtMs)].join('\u0000'))
    .digest('hex')
    .slice(0, 8);
}
