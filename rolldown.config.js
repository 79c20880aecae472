import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// The programs: what a command, a thread or a process starts with. Each is one file of our own modules, because loading
// a hundred small ones takes longer than their work on a small snapshot; see docs/decisions/0020. Commands stay apart,
// and packages stay outside. The library is what tsc makes of the same sources.

const dist = fileURLToPath(new URL('./dist/', import.meta.url));
const programs = path.join(dist, 'run');

/** Files that a module finds beside itself are where tsc has put the module, not in the program that it became part of. */
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    const place = path.relative(programs, id).split(path.sep).join('/');
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
  },
};

/** Each program by itself: what two of them share in a file of its own would be one more to load for both. */
const program = (name, module) => ({
  input: { [name]: path.join(dist, module) },
  platform: 'node',
  external: /^[^./]/,
  plugins: [keepPlaces],
  output: { dir: programs, entryFileNames: '[name].js', chunkFileNames: `${name}-[name]-[hash].js` },
});

rmSync(programs, { recursive: true, force: true });

// biome-ignore lint/style/noDefaultExport: rolldown reads its configuration from the default export
export default [
  program('main', 'cli/main.js'),
  program('query-process', 'cli/query-process.js'),
  program('load-worker', 'load-worker.js'),
  program('pass-worker', 'pass-worker.js'),
];
