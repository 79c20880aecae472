import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What a work that reads a snapshot again is run by: the thread for it, and what crosses to there. */
const PASS = ['pass', 'pass-jobs', 'carried-error'];
/** The chain up to the rows. */
const READING = ['source', 'rdb-parser', 'memory', 'store'];

/**
 * Which layers a layer may import from. The data flows one way: bytes, records, bytes of memory, rows, documents, text.
 * Behind the chain stand the works that read a snapshot again, and what is told of rows beyond reports; both end in plain
 * values or documents, which only the command line makes text of.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  source: ['rdb-parser/printable'],
  'rdb-parser': ['source/byte-source'],
  memory: ['rdb-parser'],
  store: ['rdb-parser', 'memory'],
  report: ['rdb-parser/printable', 'store'],
  findings: ['rdb-parser/printable', 'store', 'report'],
  remediation: ['rdb-parser/printable', 'store', 'report', 'findings'],
  render: ['rdb-parser/printable', 'report'],
  verify: ['source', 'rdb-parser', ...PASS],
  inspect: [...READING, 'report/document', ...PASS, 'recorded-path'],
  'what-if': [...READING, 'report/document', ...PASS, 'recorded-path', 'load-protocol', 'snapshot-profile'],
  calibrate: [...READING, 'report/document', 'load', 'load-protocol', 'snapshot-profile'],
};

/** What may import anything: the command line, and the wiring that lies in src/ itself. */
const UNBOUND = ['cli', 'wiring'];

/** Packages a layer may import; layers that are not named here may import any. */
const PURE = ['rdb-parser', 'memory'];

const src = new URL('../src', import.meta.url).pathname;
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.includes('assembly/') && !file.endsWith('.d.ts'),
);

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(`${src}/${file}`, 'utf8');
  const now = text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gms);
  const later = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [...now, ...later].map((match) => ({
    from: file,
    to: match[1]!.startsWith('.')
      ? relative(src, resolve(dirname(`${src}/${file}`), match[1]!)).replace(/\.js$/, '')
      : match[1]!,
  }));
}

const imports = files.flatMap(importsOf);
const layerOf = (path: string): string => (path.includes('/') ? path.split('/')[0]! : 'wiring');
const isOurs = (path: string): boolean => files.includes(`${path}.ts`);

describe('the layers', () => {
  it('are all named here', () => {
    expect([...new Set(files.map(layerOf))].sort()).toEqual([...Object.keys(ALLOWED), ...UNBOUND].sort());
  });

  it.each(Object.entries(ALLOWED))('%s imports only from what stands before it', (layer, allowed) => {
    const wrong = imports.filter(
      ({ from, to }) =>
        layerOf(from) === layer &&
        isOurs(to) &&
        layerOf(to) !== layer &&
        !allowed.some((prefix) => to === prefix || to.startsWith(`${prefix}/`)),
    );
    expect(wrong).toEqual([]);
  });

  it('nobody imports the command line but itself and the programs', () => {
    expect(
      imports.filter(({ from, to }) => layerOf(to) === 'cli' && isOurs(to) && layerOf(from) !== 'cli'),
    ).toEqual([]);
  });

  it.each(PURE)('%s needs no package', (layer) => {
    const packages = imports.filter(
      ({ from, to }) => layerOf(from) === layer && !isOurs(to) && !to.startsWith('node:'),
    );
    expect(packages).toEqual([]);
  });

  it('every import of ours names a file that exists', () => {
    const missing = imports.filter(
      ({ to }) => to.startsWith('..') || (layerOf(to) in ALLOWED && to.includes('/') && !isOurs(to)),
    );
    expect(missing).toEqual([]);
  });

  it('no file is called after nothing', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|types|misc)\.ts$/.test(file))).toEqual([]);
  });
});
