import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

it("runs the README's library example", () => {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(example).toBeDefined();
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', example!], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(said).toContain('queue:mail has 3200 elements');
  expect(said).toContain('4181 keys, checksum ok');
});
