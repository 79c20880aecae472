// Makes the programs of what tsc has built: what a command, a thread or a process starts with. Each is one file of our own
// modules and one for each module that is imported on demand, because loading a hundred small ones takes longer than their
// work on a small snapshot; see docs/decisions/0020. Packages stay outside. Run by `npm run build`.

import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

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

/** By name, the module that each begins with. What two of them share is in both. */
const PROGRAMS = {
  main: 'cli/main.js',
  'query-process': 'cli/query-process.js',
  'load-worker': 'load-worker.js',
  'pass-worker': 'pass-worker.js',
};

rmSync(programs, { recursive: true, force: true });
for (const [name, module] of Object.entries(PROGRAMS)) {
  await build({
    input: { [name]: path.join(dist, module) },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    plugins: [keepPlaces],
    output: { dir: programs, entryFileNames: '[name].js', chunkFileNames: `${name}-[name]-[hash].js` },
  });
}
