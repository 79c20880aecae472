import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}docs/library.md`, 'utf8');

/** Each example with what the page says that it prints. */
const examples = [
  ...text.matchAll(/^## (.*?)$[\s\S]*?```js\n([\s\S]*?)```\s+What it prints:\s+```text\n([\s\S]*?)```/gm),
].map(([, title, code, output]) => ({ title, code: code!, output: output! }));

describe('docs/library.md', () => {
  it('has an example in every section', () => {
    expect(examples.map(({ title }) => title)).toEqual(
      [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    );
  });

  it.each(examples)('$title: prints what it says', ({ code, output }) => {
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(said).toBe(output);
  });
});
