import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
};

/** What each subpath must at least offer. */
const PROMISES: Readonly<Record<string, readonly string[]>> = {
  '.': [
    'loadSnapshot',
    'scanSnapshot',
    'openStore',
    'runReport',
    'renderers',
    'RdbError',
    'SourceError',
    'StoreError',
  ],
  './rdb-parser': [
    'Decoder',
    'bytesSource',
    'keyOf',
    'printableBytes',
    'RdbError',
    'readSnapshot',
    'visitKey',
  ],
  './memory': ['profileFor', 'createMemoryModel', 'keyspaceOverheadBytes'],
  './store': ['SnapshotLoader', 'openStore', 'registerFunctions'],
  './report': ['loadCatalog', 'findReport', 'runReport', 'parseDefinition'],
  './render': ['renderers', 'formatCell'],
};

const codePaths = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'));

describe('the package', () => {
  it('has a promise for every subpath', () => {
    expect(codePaths.sort()).toEqual(Object.keys(PROMISES).sort());
  });

  it.each(Object.entries(PROMISES))('offers at %s what it promises', (path, names) => {
    const specifier = JSON.stringify(manifest.name + path.slice(1));
    const script = `import * as all from ${specifier}; console.log(Object.keys(all).join());`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(said.trim().split(',')).toEqual(expect.arrayContaining([...names]));
  });

  it.each(codePaths)('has types and code for %s', (path) => {
    const target = manifest.exports[path];
    if (target === undefined || typeof target === 'string') expect.unreachable();
    expect([existsSync(root + target.types), existsSync(root + target.default)]).toEqual([true, true]);
  });

  it('packs what it needs to run, and no tests', () => {
    const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [pack] = JSON.parse(listed) as { readonly files: readonly { readonly path: string }[] }[];
    const paths = pack!.files.map((file) => file.path);
    for (const path of [
      'dist/run/main.js',
      'dist/run/load-worker.js',
      'dist/run/pass-worker.js',
      'dist/run/query-process.js',
      'dist/rdb-parser/crc64.wasm',
      'dist/rdb-parser/lzf.wasm',
      'dist/store/key-core.wasm',
      'reports/summary.sql',
      'reports/rules/big-string.sql',
      'docs/pattern-rules.md',
      'LICENSE',
    ]) {
      expect(paths).toContain(path);
    }
    // Maps lead to sources, which are not in it.
    expect(paths.filter((path) => /^(test|src|fixtures)\/|\.map$/.test(path))).toEqual([]);
  });
});
