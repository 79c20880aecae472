import type { Renderer } from '../renderer.js';

/** A page to open, mail, print; the chart library is loaded only when one is made. */
export const html: Renderer = {
  summary: 'one self-contained page with charts; no network, readable without scripts',
  extension: 'html',
  render: async (documents, options) => {
    const { renderPage } = await import('./page.js');
    return renderPage(documents, options);
  },
};
