import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The browser's own path; undefined where there is none. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((path) => existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0);

/** Whether a browser is at hand; CI installs one. */
export const hasBrowser = CHROMIUM !== undefined;

export interface BrowserVisit {
  /** What the visitor script put into the page as JSON. */
  readonly result: unknown;
  /** Console lines and whatever the browser complained about. */
  readonly console: string;
}

/**
 * Opens a page in a headless browser and runs a script in it that ends in `return value`. The page's own scripts run
 * first, under its own policy but for the visitor's script.
 */
export function visit(page: string, script: string, extra: readonly string[] = []): BrowserVisit {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-page-'));
  try {
    const file = join(folder, 'page.html');
    const visitor = `<script>(async () => { let value; try { value = await (async () => { ${script} })(); } catch (error) { value = String(error); }
      const out = document.createElement('script'); out.type = 'application/json'; out.id = 'visitor';
      out.textContent = JSON.stringify(value).replaceAll('<', '\\\\u003c'); document.body.append(out); })()</script>`;
    writeFileSync(
      file,
      page
        .replace(/script-src '[^']+'/, "script-src 'unsafe-inline' 'unsafe-eval'")
        .replace('</body>', `${extra.map((one) => `<script>${one}</script>`).join('')}${visitor}</body>`),
    );
    const run = spawnSync(
      CHROMIUM!,
      [...FLAGS, '--virtual-time-budget=20000', '--dump-dom', pathToFileURL(file).href],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const found = /<script type="application\/json" id="visitor">([\s\S]*?)<\/script>/.exec(run.stdout);
    if (found === null) throw new Error(`the page said nothing: ${run.stderr.slice(-500)}`);
    const console = run.stderr
      .split('\n')
      .filter((line) => /CONSOLE/.test(line))
      .join('\n');
    return { result: JSON.parse(found[1]!), console };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--enable-logging=stderr',
];
