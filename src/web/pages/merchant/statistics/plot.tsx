import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useShownTheme } from './shown-theme.ts';

/**
 * One series, drawn in a colour of the tokens and in a shape that identifies it without the colour.
 */
export interface PlotLine {
  readonly name: string;
  readonly ink: 'accent' | 'info';
  readonly shape: 'bars' | 'line' | 'dashes';
  /** Used only for the height of the drawing; text comes from `describe`. */
  readonly values: readonly number[];
}

export interface PlotProps {
  readonly label: string;
  readonly lines: readonly PlotLine[];
  /** Labels of the steps from left to right. */
  readonly stepLabels: readonly string[];
  /** All values of one step as text. */
  describe(step: number): string;
}

const HEIGHT_PX = 220;
const LINE_PX = 2;
const STEP_LABEL_PX = 64;
const STEP_LABEL_HEIGHT_PX = 28;
const VALUE_LABEL_PX = 48;

/**
 * A plot over time. For keyboard and screen readers it is a slider: arrow keys move from step to
 * step, and each step is read out. Loaded separately, together with the plotting library.
 */
export function Plot({ label, lines, stepLabels, describe }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [step, setStep] = useState<number | null>(null);
  const theme = useShownTheme();
  const last = stepLabels.length - 1;

  // Redraw in the colours of the other theme.
  useLayoutEffect(() => {
    const container = frame.current;
    if (container === null) return;
    const drawn = new uPlot(
      optionsFor(container, { lines, stepLabels, moved: setStep }),
      [stepLabels.map((_, position) => position), ...lines.map(({ values }) => [...values])],
      container,
    );
    plot.current = drawn;
    return () => {
      plot.current = null;
      drawn.destroy();
    };
  }, [lines, stepLabels, theme]);

  useEffect(() => {
    const container = frame.current;
    if (container === null) return;
    const observer = new ResizeObserver(() => {
      plot.current?.setSize({ width: Math.max(container.clientWidth, 1), height: HEIGHT_PX });
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, []);

  const go = (event: KeyboardEvent) => {
    const next = stepAfter(event.key, step, last);
    if (next === null) return;
    event.preventDefault();
    setStep(next);
    const drawn = plot.current;
    drawn?.setCursor({ left: drawn.valToPos(next, 'x'), top: 0 }, false);
  };

  const shown = step === null || step > last ? null : step;
  return (
    <>
      <div
        ref={frame}
        className="plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={shown ?? Math.max(last, 0)}
        aria-valuetext={last < 0 ? 'nothing' : describe(shown ?? last)}
        onKeyDown={go}
      />
      <p className="plot-reading number">
        {shown === null ? (
          <span className="soft">Hover over or tap the plot, or use the arrow keys, to read its values.</span>
        ) : (
          describe(shown)
        )}
      </p>
    </>
  );
}

// Helpers

function stepAfter(key: string, step: number | null, last: number): number | null {
  if (last < 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max((step ?? last + 1) - 1, 0);
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min((step ?? -1) + 1, last);
  return null;
}

interface Drawing extends Pick<PlotProps, 'lines' | 'stepLabels'> {
  moved(step: number | null): void;
}

function optionsFor(container: HTMLElement, { lines, stepLabels, moved }: Drawing): uPlot.Options {
  const style = getComputedStyle(container);
  const axis = {
    stroke: style.color,
    font: `12px ${style.fontFamily}`,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(container.clientWidth, 1),
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: false, range: [-0.5, Math.max(stepLabels.length, 1) - 0.5] },
      // From zero to slightly above the highest value.
      y: { range: (_, __, highest) => [0, Math.max(highest, 1) * 1.08] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: STEP_LABEL_HEIGHT_PX,
        space: STEP_LABEL_PX,
        incrs: [1, 2, 3, 7, 14, 28, 56, 112],
        values: (_, positions) => positions.map((position) => stepLabels[position] ?? ''),
      },
      { ...axis, size: VALUE_LABEL_PX, incrs: NICE_STEPS, values: (_, values) => values.map(COMPACT.format) },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, inkOf(container, line.ink)))],
    hooks: { setCursor: [({ cursor }) => moved(cursor.idx ?? null)] },
  };
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
/** Payments and dollars use whole ticks: 1, 2 and 5 times powers of ten. */
const NICE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

function seriesOf({ name, shape }: PlotLine, ink: string): uPlot.Series {
  const common = { label: name, stroke: ink, points: { show: false } };
  if (shape === 'bars') {
    const { bars } = uPlot.paths;
    return { ...common, width: 0, fill: ink, ...(bars === undefined ? {} : { paths: bars({ size: [0.7, 40] }) }) };
  }
  return { ...common, width: LINE_PX, ...(shape === 'dashes' ? { dash: [6, 4] } : {}) };
}

/** A canvas cannot use CSS variables, so the colour is read from the legend. */
function inkOf(container: HTMLElement, ink: PlotLine['ink']): string {
  const sign = container.closest('.plot-card')?.querySelector(`.plot-ink-${ink}`);
  return getComputedStyle(sign ?? container).color;
}
