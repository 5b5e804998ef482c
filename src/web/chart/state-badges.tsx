import type { ReactElement } from 'react';
import { type ChartOverlay, shortCount, shortestCount } from './chart-overlay.ts';
import { Warning } from './glyphs.tsx';

/**
 * At the right of a state's name: visits of one actor, or how many actors rest there. Overdue ones
 * differ in shape, not only in colour.
 */
export function StateBadges({
  path,
  overlay,
  right,
  top,
}: {
  readonly path: string;
  readonly overlay: ChartOverlay;
  readonly right: number;
  readonly top: number;
}): ReactElement | null {
  const visits = overlay.visits(path);
  if (visits > 0) return <Pill className="chart-visits" text={`${shortCount(visits)}×`} right={right} top={top} />;
  const resting = overlay.resting(path);
  if (resting === null || resting.count === 0) return null;
  const count = shortCount(resting.count);
  return (
    <>
      <Pill className="chart-count" text={count} right={right} top={top} />
      {resting.overdue === 0 ? null : (
        <Overdue text={shortestCount(resting.overdue)} right={right - pillWidth(count) - 6} top={top} />
      )}
    </>
  );
}

// Helpers

function Overdue({ text, right, top }: { readonly text: string; readonly right: number; readonly top: number }) {
  return (
    <g className="chart-overdue">
      <text x={right} y={top + 13} textAnchor="end" className="chart-badge">
        {text}
      </text>
      <Warning x={right - 9 - text.length * DIGIT_WIDTH} y={top + 9} />
    </g>
  );
}

/** Width of the 12 px digits in badges, all of which are equally wide. */
const DIGIT_WIDTH = 7.8;

function pillWidth(text: string): number {
  return Math.max(20, text.length * DIGIT_WIDTH + 10);
}

function Pill({
  className,
  text,
  right,
  top,
}: {
  readonly className: string;
  readonly text: string;
  readonly right: number;
  readonly top: number;
}): ReactElement {
  const width = pillWidth(text);
  return (
    <g className={`chart-pill ${className}`}>
      <rect x={right - width} y={top} width={width} height={18} rx={9} />
      <text x={right - width / 2} y={top + 13} textAnchor="middle" className="chart-badge">
        {text}
      </text>
    </g>
  );
}
