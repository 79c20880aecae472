import type { EChartsCoreOption } from 'echarts/core';
import type { Cell, Chart, ColumnKind, ReportSection } from '../../report/document.js';
import { formatCell } from '../format-cell.js';
import { cutMiddle, textWidth } from '../text-width.js';

/** A chart as ECharts wants it; colours are the page's variables, so that one drawing fits both themes. */
export interface ChartDrawing {
  readonly width: number;
  readonly height: number;
  readonly option: EChartsCoreOption;
}

/** A size that charts are drawn for, so that their text is read without zoom: the page shows the one that fits. */
export interface Canvas {
  readonly name: 'wide' | 'narrow';
  readonly width: number;
  /** Columns of text for the labels of bars. */
  readonly labelColumns: number;
  /** Pixels for the values behind bars. */
  readonly valueWidth: number;
  readonly treemapHeight: number;
}

export const CANVASES: readonly Canvas[] = [
  { name: 'wide', width: 1040, labelColumns: 44, valueWidth: 110, treemapHeight: 380 },
  { name: 'narrow', width: 368, labelColumns: 20, valueWidth: 64, treemapHeight: 420 },
];

const FONT = 'system-ui, sans-serif';
const TEXT = { color: 'var(--text)', fontFamily: FONT, fontSize: 13 };
const QUIET = { color: 'var(--quiet)', fontFamily: FONT, fontSize: 12 };
const PALETTE = ['var(--c1)', 'var(--c2)', 'var(--c3)', 'var(--c4)', 'var(--c5)', 'var(--c6)'];
const MOST_BARS = 12;

interface Point {
  readonly label: string;
  readonly value: number;
  readonly shown: string;
  readonly marked: boolean;
}

/** The drawing, or undefined where there is too little to draw. */
export function drawChart(section: ReportSection, chart: Chart, canvas: Canvas): ChartDrawing | undefined {
  const points = pointsOf(section, chart);
  if (points.filter((point) => point.value > 0).length < 2) return undefined;
  switch (chart.kind) {
    case 'bars':
      return bars(points.slice(0, MOST_BARS), canvas);
    case 'treemap':
      return treemap(points, canvas);
    case 'timeline':
    case 'histogram':
      return columns(points, kindOf(section, chart.value), canvas);
    case 'heat-strip':
      return heatStrip(points, canvas);
    default:
      return chart.kind satisfies never;
  }
}

function kindOf(section: ReportSection, name: string): ColumnKind {
  return section.columns.find((column) => column.name === name)?.kind ?? 'number';
}

function pointsOf(section: ReportSection, chart: Chart): Point[] {
  const indexOf = (name: string): number => section.columns.findIndex((column) => column.name === name);
  const [label, value] = [indexOf(chart.label), indexOf(chart.value)];
  const marks =
    chart.mark === undefined ? [] : section.rows.map((row) => numberOf(row[indexOf(chart.mark!)]));
  const usual = median(marks);
  return section.rows.map((row, i) => ({
    label: formatCell(row[label] ?? null, section.columns[label]!.kind),
    value: numberOf(row[value]),
    shown: formatCell(row[value] ?? null, section.columns[value]!.kind),
    marked: marks.length > 0 && marks[i]! > 10 * usual,
  }));
}

function numberOf(cell: Cell | undefined): number {
  const number = typeof cell === 'object' || cell === undefined ? 0 : Number(cell);
  return Number.isFinite(number) ? number : 0;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function bars(points: readonly Point[], { width, labelColumns, valueWidth }: Canvas): ChartDrawing {
  const rows = [...points].reverse();
  return {
    width,
    height: 26 * rows.length + 12,
    option: {
      grid: { left: labelWidth(rows, labelColumns), right: valueWidth, top: 4, bottom: 4 },
      xAxis: { type: 'value', show: false, max: 'dataMax' },
      yAxis: {
        type: 'category',
        data: rows.map((point) => cutMiddle(point.label, labelColumns)),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: TEXT,
      },
      series: [
        {
          type: 'bar',
          barWidth: 16,
          data: rows.map(({ value, shown }) => ({
            value,
            label: { show: true, position: 'right', formatter: () => shown, ...QUIET },
          })),
          itemStyle: { color: 'var(--c1)', borderRadius: 2 },
        },
      ],
    },
  };
}

/** Pixels for the labels on the left: no browser is at hand to measure them. */
function labelWidth(points: readonly Point[], labelColumns: number): number {
  return 16 + 7.6 * Math.max(...points.map((point) => Math.min(labelColumns, textWidth(point.label))));
}

function treemap(points: readonly Point[], { width, treemapHeight }: Canvas): ChartDrawing {
  return {
    width,
    height: treemapHeight,
    option: {
      series: [
        {
          type: 'treemap',
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          visibleMin: 200,
          label: { show: true, overflow: 'truncate', ...TEXT, color: 'var(--on-chart)', lineHeight: 17 },
          itemStyle: { borderColor: 'var(--ground)', borderWidth: 1, gapWidth: 1 },
          data: points
            .filter((point) => point.value > 0)
            .map(({ label, value, shown }, i) => ({
              name: cutMiddle(label, 40),
              value,
              label: { formatter: () => `${cutMiddle(label, 40)}\n${shown}` },
              itemStyle: { color: PALETTE[i % PALETTE.length] },
            })),
        },
      ],
    },
  };
}

function columns(points: readonly Point[], kind: ColumnKind, { width }: Canvas): ChartDrawing {
  return {
    width,
    height: 220,
    option: {
      grid: { left: 72, right: 12, top: 22, bottom: 26 },
      xAxis: {
        type: 'category',
        data: points.map((point) => point.label.replace(/:00(:00)?$/, '').replace(/ 00:00$/, '')),
        axisLine: { lineStyle: { color: 'var(--line)' } },
        axisTick: { show: false },
        axisLabel: { ...QUIET, hideOverlap: true },
      },
      yAxis: {
        type: 'value',
        axisLabel: { ...QUIET, formatter: (value: number) => formatCell(value, kind) },
        splitLine: { lineStyle: { color: 'var(--line)' } },
      },
      series: [
        {
          type: 'bar',
          barCategoryGap: '15%',
          data: points.map(({ value, marked }) => ({
            value,
            itemStyle: { color: marked ? 'var(--mark)' : 'var(--c1)' },
            ...(marked && {
              label: { show: true, position: 'top', formatter: '▲ burst', ...QUIET, color: 'var(--mark)' },
            }),
          })),
        },
      ],
    },
  };
}

/** Cells of one row, the darker the more; the mean and twice it are the scale. */
function heatStrip(points: readonly Point[], { width }: Canvas): ChartDrawing {
  const most = Math.max(...points.map((point) => point.value));
  return {
    width,
    height: 70,
    option: {
      grid: { left: 4, right: 12, top: 4, bottom: 22 },
      xAxis: {
        type: 'category',
        data: points.map((point) => point.label),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { ...QUIET, hideOverlap: true },
      },
      yAxis: { type: 'value', show: false, min: 0, max: 1 },
      series: [
        {
          type: 'bar',
          barCategoryGap: '4%',
          data: points.map(({ value }) => ({
            value: 1,
            itemStyle: { color: 'var(--c1)', opacity: most === 0 ? 0.1 : 0.1 + (0.9 * value) / most },
          })),
        },
      ],
    },
  };
}
