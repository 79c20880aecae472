import { printableBytes } from '../rdb-parser/printable.js';
import type { Plan, PlanStep } from './plan.js';
import { callLine } from './write-redis-cli.js';

/** A plan as one JSON object, step by step, so that it may have any number of them. Lines without their breaks. */
export function* jsonLines(plan: Plan): Generator<string> {
  const { id, action, title, cautions, snapshot, keys, memoryBytes, pauseMs, scripts } = plan;
  const head = {
    schema_version: 1,
    plan: id,
    action,
    title,
    cautions,
    snapshot: {
      path: snapshot.path,
      created_at_ms: snapshot.createdAtMs ?? null,
      product: snapshot.product,
      server_version: snapshot.serverVersion ?? null,
      cluster: snapshot.isCluster,
    },
    keys,
    memory_bytes: memoryBytes,
    pause_ms: pauseMs,
    scripts: scripts.map(({ name, about, sha1, lua }) => ({ name, about, sha1, lua })),
  };
  yield `${ascii(head).slice(0, -1)},"steps":[`;
  let separator = '';
  for (const step of plan.steps()) {
    yield separator + ascii(stepObject(step));
    separator = ',';
  }
  yield ']}';
}

function stepObject(step: PlanStep): object {
  return {
    comment: step.comment,
    db: step.db,
    script: step.script.name,
    keys: step.keys.map((key) => ({ printable: printableBytes(key), hex: Buffer.from(key).toString('hex') })),
    arguments: step.args,
    redis_cli: callLine(step),
    ...(step.repeat !== undefined && { repeat_until: '0', repeat_at_most: step.repeat }),
  };
}

/** Nothing but ASCII: names of keys may hold anything. */
function ascii(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
