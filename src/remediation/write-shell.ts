import type { Plan } from './plan.js';
import { oneLine, redisLine } from './quoting.js';
import { callLine } from './write-redis-cli.js';

/**
 * A plan as a POSIX shell script. Keys never meet the shell: every command is one line for redis-cli, in single quotes
 * and without any inside.
 */
export function* shellLines(plan: Plan): Generator<string> {
  yield* header(plan);
  for (const { name, about, lua, sha1 } of plan.scripts) {
    yield '';
    yield `# Script "${name}". ${about}`;
    for (const line of lua.split('\n')) yield `#   ${line}`;
    yield `expect ${sha1} "$(once 0 ${quoted(redisLine(['SCRIPT', 'LOAD', Buffer.from(lua)]))})"`;
  }
  yield '';
  for (const step of plan.steps()) {
    const call = callLine(step);
    yield `# ${oneLine(step.comment)}`;
    yield step.repeat === undefined ? `say ${step.db} ${quoted(call)}` : `repeat ${step.db} ${quoted(call)}`;
  }
  yield 'echo done';
}

function* header(plan: Plan): Generator<string> {
  const { snapshot } = plan;
  const saved =
    snapshot.createdAtMs === undefined ? '' : `, saved ${new Date(snapshot.createdAtMs).toISOString()}`;
  yield '#!/bin/sh';
  yield `# rdbscope plan ${plan.id}: ${oneLine(plan.title)}`;
  yield `# Of ${oneLine(snapshot.path)}${saved}.`;
  yield `# ${plan.keys} key${plan.keys === 1 ? '' : 's'}, ${plan.memoryBytes} bytes of memory.`;
  yield '#';
  for (const caution of plan.cautions) yield `# - ${oneLine(caution)}`;
  yield '#';
  yield '# Usage: CONFIRM=yes [REDIS_CLI="redis-cli -h HOST -p PORT"] [PAUSE=0.05] sh PLAN';
  yield '';
  yield* prelude(snapshot.isCluster ? 'redis-cli -c' : 'redis-cli', plan.pauseMs / 1000).split('\n');
}

const prelude = (program: string, pauseSeconds: number): string => `set -eu
REDIS_CLI=\${REDIS_CLI:-${program}}
PAUSE=\${PAUSE:-${pauseSeconds}}
if [ "\${CONFIRM:-}" != yes ]; then
  echo "Nothing was done. Read the plan, then run it with CONFIRM=yes." >&2
  exit 1
fi

# once DB LINE: sends one line to redis-cli and prints the answer.
once() {
  printf '%s\\n' "$2" | $REDIS_CLI -n "$1"
}
# say DB LINE: sends it and shows the answer.
say() {
  once "$1" "$2"
}
# repeat DB LINE: sends it until the answer is 0, with a pause between; any other word ends it.
repeat() {
  while :; do
    answer=$(once "$1" "$2")
    case $answer in
      0) break ;;
      '' | *[!0-9]*) echo "$answer"; break ;;
    esac
    sleep "$PAUSE"
  done
}
# expect WANTED GOT: stops when the server answers something else.
expect() {
  if [ "$1" != "$2" ]; then
    echo "the server answers: $2" >&2
    exit 1
  fi
}`;

/** No line of ours has a single quote: keys are written with `\x27`. */
function quoted(line: string): string {
  return `'${line}'`;
}
