import type { Plan, PlanStep } from './plan.js';
import { oneLine, redisLine } from './quoting.js';

/**
 * A plan as lines for `redis-cli < file`. Remarks are ECHO commands, so that they stand between the answers. A step
 * that is repeated is there as often as it may be needed: calls after the last element answer 0 and do nothing.
 */
export function* redisCliLines(plan: Plan): Generator<string> {
  const say = (text: string): string => redisLine(['ECHO', Buffer.from(oneLine(text))]);
  yield say(`rdbscope plan ${plan.id}: ${plan.title}`);
  for (const caution of plan.cautions) yield say(caution);
  for (const { name, lua, sha1 } of plan.scripts) {
    yield say(`script ${name}, ${sha1}`);
    yield redisLine(['SCRIPT', 'LOAD', Buffer.from(lua)]);
  }
  let db: number | undefined;
  for (const step of plan.steps()) {
    if (step.db !== db) yield redisLine(['SELECT', step.db]);
    db = step.db;
    yield say(step.comment);
    const call = callLine(step);
    for (let i = 0; i < (step.repeat ?? 1); i++) {
      yield call;
      if (step.repeat !== undefined) yield pauseLine(plan.pauseMs);
    }
  }
  yield say(`end of plan ${plan.id}`);
}

/** A step's call; the script has been loaded. */
export function callLine({ script, keys, args }: PlanStep): string {
  return redisLine(['EVALSHA', script.sha1, keys.length, ...keys, ...args]);
}

/** No server has that many replicas, so the client waits for as long as it may; nothing else waits with it. */
function pauseLine(pauseMs: number): string {
  return redisLine(['WAIT', 1_000_000, Math.max(1, pauseMs)]);
}
