import type { RenderOptions } from '../../src/render/index.js';

export const PLAIN: RenderOptions = {
  width: 80,
  color: false,
  showSql: false,
  raw: false,
  generator: 'rdbscope test',
};
