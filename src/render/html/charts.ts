import { BarChart, TreemapChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart, ReportSection } from '../../report/document.js';
import { CANVASES, type ChartDrawing, drawChart } from './chart-options.js';
import { escapeHtml } from './escape.js';

use([BarChart, TreemapChart, GridComponent, SVGRenderer]);

/**
 * The chart as inline SVG in a figure, once for wide and once for narrow screens, of which the page shows one; nothing where
 * there is too little to draw. The table beside it says the same.
 */
export function renderChart(section: ReportSection, chart: Chart): string {
  const drawn = CANVASES.flatMap((canvas) => {
    const drawing = drawChart(section, chart, canvas);
    return drawing === undefined ? [] : [svgOf(drawing, canvas.name, section.title)];
  });
  return drawn.length === 0 ? '' : `<figure>${drawn.join('')}</figure>`;
}

function svgOf({ width, height, option }: ChartDrawing, className: string, title: string): string {
  const instance = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    instance.setOption({ animation: false, silent: true, ...option });
    const name = escapeHtml(`${title}: chart of the table below`);
    return instance
      .renderToSVGString()
      .replace(/^<svg width="\d+" height="\d+"/, `<svg class="${className}" role="img" aria-label="${name}"`);
  } finally {
    instance.dispose();
  }
}
