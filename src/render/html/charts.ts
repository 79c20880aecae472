import { BarChart, TreemapChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart, ReportSection } from '../../report/document.js';
import { CHART_WIDTH, drawChart } from './chart-options.js';
import { escapeHtml } from './escape.js';

use([BarChart, TreemapChart, GridComponent, SVGRenderer]);

/** The chart as inline SVG in a figure; nothing where there is too little to draw. The table beside it says the same. */
export function renderChart(section: ReportSection, chart: Chart): string {
  const drawing = drawChart(section, chart);
  if (drawing === undefined) return '';
  const instance = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: CHART_WIDTH,
    height: drawing.height,
  });
  try {
    instance.setOption({ animation: false, silent: true, ...drawing.option });
    const name = escapeHtml(`${section.title}: chart of the table below`);
    const svg = instance
      .renderToSVGString()
      .replace(/^<svg width="\d+" height="\d+"/, `<svg role="img" aria-label="${name}"`);
    return `<figure>${svg}</figure>`;
  } finally {
    instance.dispose();
  }
}
