import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM } from './browser.js';

export interface Viewport {
  /** Pixels of CSS; a browser's own window does not get narrower than 500. */
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
}

/** What a page did in a viewport. */
export interface PageBehaviour {
  /** Of the page: more than the viewport's width and it scrolls sideways. */
  readonly scrollWidth: number;
  /** What stands out of the viewport's right side and lies in nothing that scrolls. */
  readonly standingOut: readonly string[];
  /** Charts that scroll sideways in their figures. */
  readonly scrollingFigures: number;
  /** Figures without exactly one chart that is shown. */
  readonly oddFigures: number;
  readonly console: readonly string[];
  /** Addresses that were asked for, the page's own aside. */
  readonly requests: readonly string[];
}

/** Opens a page as a screen of that size would. @param picture a file for a picture of its beginning */
export async function lookAt(page: string, viewport: Viewport, picture?: string): Promise<PageBehaviour> {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-view-'));
  const browser = await chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const file = join(folder, 'page.html');
    writeFileSync(file, page);
    const address = pathToFileURL(file).href;
    const { width, height, dark } = viewport;
    const tab = await browser.newPage({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
    });
    const console: string[] = [];
    const requests: string[] = [];
    tab.on('console', (message) => console.push(`${message.type()}: ${message.text()}`));
    tab.on('pageerror', (error) => console.push(String(error)));
    tab.on('request', (request) => {
      if (request.url() !== address) requests.push(request.url());
    });
    // Nothing leaves this machine, whatever a page asks for.
    await tab.route(/^(?!file:)/, (route) => route.abort());
    await tab.goto(address, { waitUntil: 'load' });
    const measured = (await tab.evaluate(MEASURE)) as Omit<PageBehaviour, 'console' | 'requests'>;
    if (picture !== undefined) await tab.screenshot({ path: picture });
    return { ...measured, console, requests };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Text, because it runs in the page. */
const MEASURE = `(() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = (one) => one !== document.documentElement && one.closest('.scroll, pre, svg') !== null;
  const standingOut = [...document.querySelectorAll('body *')]
    .filter((one) => !scrolls(one) && one.getBoundingClientRect().right > wide + 1)
    .map((one) => one.outerHTML.slice(0, 120));
  const figures = [...document.querySelectorAll('figure')];
  const shown = (figure) => [...figure.querySelectorAll('svg')].filter((svg) => svg.getBoundingClientRect().width > 0).length;
  return {
    scrollWidth: document.documentElement.scrollWidth,
    standingOut,
    scrollingFigures: figures.filter((figure) => figure.scrollWidth > figure.clientWidth).length,
    oddFigures: figures.filter((figure) => shown(figure) !== 1).length,
  };
})()`;
