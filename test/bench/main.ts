import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './markdown-table.js';
import { type Measured, measureInTurn } from './measure.js';
import { checkAgainstRecorded } from './recorded.js';
import { cacheStrings, distinctPrefixes, idsInFront, singleList, snapshotPath } from './snapshots.js';

/** Other work on the machine only adds to what a run takes, so the least counts; more rounds where that does not hold. */
const CHECK_ROUNDS = 12;

const USAGE = `npm run bench -- [speed] [reports] [model] [memory] [growth] [gzip] [check] [options]

  speed    decode, verify and load against cat and redis-check-rdb (default, with reports)
  reports  the core reports on the database that speed loaded; start-up of --help
  model    what the memory model adds to decoding the mixed snapshot
  memory   peak memory on shapes that hurt: one 4 GiB list, 20 M UUID-first keys, 20 M prefixes
  growth   time per key at 20 M keys against 2 M
  gzip     a gzip input against gzip -dc and the plain load
  check    a small run that fails when a ratio to redis-check-rdb is 30 % worse than recorded

  --snapshots DIR  folder of strings-5m.rdb and mixed-2m.rdb; without them smaller snapshots are made
  --runs N         runs each, in turn; medians are told (5)
  --keys N         keys of the snapshots that are made here (1000000)
  --no-record      do not append what is told to docs/benchmarks.md (check never does)
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    snapshots: { type: 'string' },
    runs: { type: 'string', default: '5' },
    keys: { type: 'string', default: '1000000' },
    record: { type: 'boolean', default: true },
    help: { type: 'boolean', default: false },
  },
});

/** Whose models are measured: the server that saved the snapshot first. */
const MODELLED_SERVERS = ['own', 'redis-8.8', 'valkey-9.1'];
const MODEL_ROUNDS = 15;

const root = new URL('../../../', import.meta.url).pathname;
const rdbscope = ['node', join(root, 'bin/rdbscope.js')];
const runs = Number(options.runs);
const scratch = mkdtempSync(join(tmpdir(), 'rdbscope-bench-'));
const made = options.snapshots ?? scratch;
const lines: string[] = [];

const parts = {
  speed: benchSpeed,
  reports: benchReports,
  model: benchModel,
  memory: benchMemory,
  growth: benchGrowth,
  gzip: benchGzip,
  check: benchCheck,
} as const;

if (options.help) {
  process.stdout.write(USAGE);
} else {
  const wanted = positionals.length === 0 ? (['speed', 'reports'] as const) : positionals.filter(isPart);
  if (wanted.length < positionals.length) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  } else run(wanted);
}

function isPart(name: string): name is keyof typeof parts {
  return name in parts;
}

function run(wanted: readonly (keyof typeof parts)[]): void {
  try {
    mkdirSync(made, { recursive: true });
    tell(
      `## ${new Date().toISOString().slice(0, 10)}, ${commit()}, Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`,
    );
    for (const part of wanted) parts[part]();
    const records = options.record && wanted.some((part) => part !== 'check');
    if (records) appendFileSync(join(root, 'docs/benchmarks.md'), `\n${lines.join('\n').trimEnd()}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Subject {
  readonly name: string;
  readonly path: string;
  readonly keys: number;
  readonly bytes: number;
}

function subjects(): Subject[] {
  const wellKnown = [
    { name: 'strings-5m', keys: 5_000_000 },
    { name: 'mixed-2m', keys: 2_000_000 },
  ].map(({ name, keys }) => ({ name, keys, path: join(made, `${name}.rdb`) }));
  const found = wellKnown.filter(({ path }) => existsSync(path));
  const snapshot = cacheStrings(Number(options.keys));
  const all =
    found.length > 0
      ? found
      : [{ name: snapshot.name, keys: snapshot.keys, path: snapshotPath(made, snapshot) }];
  return all.map((subject) => ({ ...subject, bytes: statSync(subject.path).size }));
}

function load(path: string, extra: readonly string[] = []): string[] {
  return [...rdbscope, 'load', path, '-o', join(scratch, 'bench.sqlite'), ...extra];
}

function benchSpeed(): void {
  for (const subject of subjects()) {
    const measured = measureInTurn(
      {
        cat: ['cat', subject.path],
        'redis-check-rdb': ['redis-check-rdb', subject.path],
        'verify --shallow': [...rdbscope, 'verify', '--shallow', subject.path],
        load: load(subject.path),
      },
      runs,
      scratch,
    );
    const check = measured.get('redis-check-rdb')!;
    const allowed = subject.keys * 0.8e-6 + subject.bytes * 1e-9;
    table(`${subject.name}: ${subject.keys} keys, ${subject.bytes} bytes`, measured, check, subject);
    const cpu = measured.get('load')!.cpuSeconds;
    tell(
      `load: ${cpu.toFixed(2)} CPU-s of ${allowed.toFixed(2)} allowed (0.8 us per key and 1 ns per byte): ${(cpu / allowed).toFixed(2)}`,
    );
  }
}

function benchReports(): void {
  const subject = subjects()[0]!;
  const database = join(scratch, 'reports.sqlite');
  execFileSync(rdbscope[0]!, [...rdbscope.slice(1), 'load', subject.path, '-o', database], {
    stdio: 'ignore',
  });
  const ids = ['summary', 'big-keys', 'no-ttl', 'prefixes', 'expiry-timeline', 'expiry-clusters'];
  const commands = Object.fromEntries(ids.map((id) => [id, [...rdbscope, 'report', database, id]]));
  const measured = measureInTurn({ 'rdbscope --help': [...rdbscope, '--help'], ...commands }, runs, scratch);
  table(`reports on ${subject.name}`, measured, measured.get('rdbscope --help')!, subject);
}

function benchModel(): void {
  const subject = subjects().at(-1)!;
  const program = join(root, 'dist-test/test/bench/decode-rounds.js');
  const output = execFileSync('node', [program, subject.path, String(MODEL_ROUNDS), ...MODELLED_SERVERS]);
  const { none: alone = 0, ...modelled } = JSON.parse(output.toString()) as Record<string, number>;
  tell(
    `\nmodel: the start of ${subject.name}, least of ${MODEL_ROUNDS} rounds in turn, the middle of three processes\n`,
  );
  const rows = [
    ['', 'CPU s', 'more than decoding'],
    ['decoding', alone.toFixed(3), ''],
  ];
  for (const [server, seconds] of Object.entries(modelled)) {
    const more = percent(seconds / alone - 1);
    rows.push([`with the model of ${server}`, seconds.toFixed(3), `${more} (bar 25 %)`]);
  }
  for (const line of markdownTable(rows)) tell(line);
  tell('');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function benchMemory(): void {
  const shapes = [
    singleList(4),
    idsInFront(20_000_000),
    distinctPrefixes(20_000_000),
    cacheStrings(20_000_000),
    cacheStrings(1_000_000),
  ];
  for (const shape of shapes) {
    const path = snapshotPath(made, shape);
    const measured = measureInTurn({ load: load(path) }, 1, scratch);
    const { rssMib, cpuSeconds } = measured.get('load')!;
    tell(`${shape.what}: peak RSS ${rssMib.toFixed(0)} MiB, ${cpuSeconds.toFixed(1)} CPU-s`);
  }
}

function benchGrowth(): void {
  const [small, large] = [cacheStrings(2_000_000), cacheStrings(20_000_000)];
  const measured = measureInTurn(
    { small: load(snapshotPath(made, small)), large: load(snapshotPath(made, large)) },
    Math.min(runs, 3),
    scratch,
  );
  const perKey = (name: string, keys: number): number => (measured.get(name)!.cpuSeconds / keys) * 1e6;
  const [before, after] = [perKey('small', small.keys), perKey('large', large.keys)];
  tell(
    `growth: ${before.toFixed(3)} us per key at 2 M keys, ${after.toFixed(3)} at 20 M: ${(after / before).toFixed(3)}`,
  );
  tell(
    `peak RSS ${measured.get('small')!.rssMib.toFixed(0)} and ${measured.get('large')!.rssMib.toFixed(0)} MiB`,
  );
}

function benchGzip(): void {
  const subject = subjects().at(-1)!;
  const packed = `${subject.path}.gz`;
  if (!existsSync(packed)) execFileSync('gzip', ['-1', '-k', subject.path]);
  const measured = measureInTurn(
    { 'gzip -dc': ['gzip', '-dc', packed], 'load plain': load(subject.path), 'load gzip': load(packed) },
    runs,
    scratch,
  );
  const sum = measured.get('gzip -dc')!.cpuSeconds + measured.get('load plain')!.cpuSeconds;
  table(`${subject.name}.gz`, measured, measured.get('gzip -dc')!, subject);
  tell(
    `load of gzip against gzip -dc and the plain load: ${(measured.get('load gzip')!.cpuSeconds / sum).toFixed(2)} (bar 1.1)`,
  );
}

function benchCheck(): void {
  const path = snapshotPath(made, cacheStrings(500_000));
  const commands = {
    'redis-check-rdb': ['redis-check-rdb', path],
    verify: [...rdbscope, 'verify', '--shallow', path],
    load: load(path),
  };
  const least = new Map<string, number>();
  for (let round = 1; round <= CHECK_ROUNDS; round++) {
    for (const [name, { leastCpuSeconds }] of measureInTurn(commands, runs, scratch)) {
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, leastCpuSeconds));
    }
    const ratio = (name: string): number => least.get(name)! / least.get('redis-check-rdb')!;
    const ratios = { verify: ratio('verify'), load: ratio('load') };
    const verdict = checkAgainstRecorded(join(root, 'test/bench/recorded.json'), ratios);
    for (const line of verdict.lines) tell(line);
    if (verdict.holds) return;
  }
  process.exitCode = 1;
}

function table(
  title: string,
  measured: ReadonlyMap<string, Measured>,
  yardstick: Measured,
  subject: Subject,
): void {
  tell(`\n${title}\n`);
  const rows = [['command', 'CPU s', 'of the yardstick', 'wall s', 'keys/s', 'MB/s', 'peak RSS MiB']];
  for (const [name, { cpuSeconds, wallSeconds, rssMib }] of measured) {
    rows.push([
      name,
      cpuSeconds.toFixed(2),
      (cpuSeconds / yardstick.cpuSeconds).toFixed(2),
      wallSeconds.toFixed(2),
      String(Math.round(subject.keys / wallSeconds)),
      String(Math.round(subject.bytes / 1e6 / wallSeconds)),
      rssMib.toFixed(0),
    ]);
  }
  for (const line of markdownTable(rows)) tell(line);
  tell('');
}

function tell(line: string): void {
  lines.push(line);
  process.stdout.write(`${line}\n`);
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root }).toString().trim();
  } catch {
    return `version ${(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version}`;
  }
}
