import { csv } from './csv.js';
import { html } from './html/index.js';
import { json, jsonl } from './json.js';
import { markdown } from './markdown.js';
import type { Renderer } from './renderer.js';
import { terminal } from './terminal.js';

export { formatCell, formatSentence } from './format-cell.js';
export type { Renderer, RenderOptions, RowStream } from './renderer.js';

const registry = { table: terminal, markdown, html, json, jsonl, csv } satisfies Record<string, Renderer>;

export type Format = keyof typeof registry;

/** Every output format by the name that `--format` takes. */
export const renderers: Readonly<Record<Format, Renderer>> = registry;
