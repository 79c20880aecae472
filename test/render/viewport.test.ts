import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSnapshot } from '../../src/load.js';
import { renderers } from '../../src/render/index.js';
import { loadCatalog } from '../../src/report/catalog.js';
import { runReport } from '../../src/report/run.js';
import { openStore } from '../../src/store/index.js';
import { scratchFolder } from '../cli/cli-run.js';
import { hostileSnapshot } from '../report/hostile-snapshot.js';
import { hasBrowser } from './browser.js';
import { PLAIN } from './render-options.js';
import { lookAt, type PageBehaviour, type Viewport } from './viewport.js';

const catalog = loadCatalog();
const folder = scratchFolder();
let hostile = '';
let summary = '';
let expiry = '';

/** Written anew with UPDATE_SCREENSHOTS=1; look at them before they are committed. */
const PICTURES = new URL('../../docs/screenshots/', import.meta.url).pathname;
const pictureOf = (name: string): string =>
  process.env.UPDATE_SCREENSHOTS === '1' ? join(PICTURES, name) : join(folder, name);

beforeAll(async () => {
  const database = hostileSnapshot();
  const all = [...catalog.values()].map((definition) => runReport(database, definition));
  hostile = await renderers.html.render(all, PLAIN);
  database.close();
  const { databasePath } = await loadSnapshot({
    input: 'fixtures/shop.rdb',
    output: join(folder, 'shop.sqlite'),
  });
  const shop = openStore(databasePath);
  const pageOf = (...ids: string[]) =>
    renderers.html.render(
      ids.map((id) => runReport(shop, catalog.get(id)!)),
      PLAIN,
    );
  summary = await pageOf('summary', 'prefixes');
  expiry = await pageOf('expiry-timeline', 'expiry-clusters');
  shop.close();
});

const PHONE = { width: 400, height: 1300, dark: false } as const;
const DESK = { width: 1280, height: 1500, dark: false } as const;

function expectCalm(behaviour: PageBehaviour, { width }: Viewport): void {
  expect(behaviour).toEqual({
    scrollWidth: width,
    standingOut: [],
    scrollingFigures: 0,
    oddFigures: 0,
    console: [],
    requests: [],
  });
}

describe(hasBrowser ? 'the page' : 'no browser is here: the page was not looked at', () => {
  const opened = (test: () => Promise<void>) => async () => {
    if (hasBrowser) await test();
    else expect(hasBrowser).toBe(false);
  };

  it.each([PHONE, { ...PHONE, dark: true }, DESK])(
    'does not scroll sideways, complain or ask for anything with all reports of hostile keys: %j',
    (viewport) => opened(async () => expectCalm(await lookAt(hostile, viewport), viewport))(),
  );

  it.each([
    ['summary.png', () => summary, DESK],
    ['summary-narrow.png', () => summary, PHONE],
    ['summary-narrow-dark.png', () => summary, { ...PHONE, dark: true }],
    ['expiry.png', () => expiry, { ...DESK, height: 1100 }],
  ] as const)('keeps to the screen where its picture is taken: %s', (name, page, viewport) =>
    opened(async () => expectCalm(await lookAt(page(), viewport, pictureOf(name)), viewport))(),
  );

  it(
    'says so when it does',
    opened(async () => {
      const wide = `<!DOCTYPE html><body><div style="width:700px">x</div><figure><svg width="10"></svg><svg width="10"></svg></figure>
        <img src="https://192.0.2.1/x.png"><script>console.error('no')</script></body>`;
      const behaviour = await lookAt(wide, PHONE);
      expect(behaviour.scrollWidth).toBeGreaterThan(400);
      expect(behaviour.standingOut).toHaveLength(1);
      expect(behaviour.oddFigures).toBe(1);
      expect(behaviour.requests).toEqual(['https://192.0.2.1/x.png']);
      expect(behaviour.console.join()).toContain('no');
    }),
  );
});
