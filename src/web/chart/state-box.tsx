import type { ReactElement } from 'react';
import type { Box, StateDescription } from '../../http/console/contract/charts.ts';
import { NOTE_HEIGHT, STATE_PADDING, stateLabel } from '../../http/console/text-measurement/index.ts';
import { type ChartOverlay, shortCount, shortestCount } from './chart-overlay.ts';
import { Warning } from './glyphs.tsx';
import type { Head } from './head-position.ts';
import { dwellText, stateHint, stateWords } from './labels.ts';
import { ChartNode } from './node.tsx';

/**
 * A state with its name, what it waits for or how long actors have been there, and at the right how
 * many they are or how often it was visited.
 */
export function StateBox({
  state,
  box,
  head,
  overlay,
  isSelected,
  onSelect,
}: {
  readonly state: StateDescription;
  readonly box: Box;
  /** Where its text begins and its counts end, if not at its sides: see `headOf`. */
  readonly head?: Head | undefined;
  readonly overlay: ChartOverlay;
  readonly isSelected: boolean;
  readonly onSelect: (() => void) | undefined;
}): ReactElement {
  const { path, type } = state;
  const { title, note } = stateLabel(state);
  const { left, right } = head ?? { left: box.x + STATE_PADDING, right: box.x + box.width - STATE_PADDING };
  const firstLine = box.y + STATE_PADDING + 13;
  const dwell = overlay.dwell(path);
  const second = dwell === null ? note : dwellText(dwell);
  return (
    <ChartNode
      name={`state:${path}`}
      className={stateClasses(state, overlay)}
      box={box}
      label={stateWords(state, overlay)}
      hint={path === '' ? 'Handled in every state' : stateHint(state, dwell)}
      isTabStop
      isSelected={isSelected}
      onSelect={onSelect}
    >
      <rect className="chart-box" x={box.x} y={box.y} width={box.width} height={box.height} rx={10} />
      {type === 'final' ? <InnerBorder {...box} /> : null}
      <text className="chart-title" x={left} y={firstLine}>
        {title}
      </text>
      {second === null ? null : (
        <text className={dwell === null ? 'chart-note' : 'chart-dwell'} x={left} y={firstLine + NOTE_HEIGHT}>
          {second}
        </text>
      )}
      <StateBadges path={path} overlay={overlay} right={right} top={box.y + STATE_PADDING - 2} />
    </ChartNode>
  );
}

// Helpers

const INNER_GAP = 4;

function InnerBorder({ x, y, width, height }: Box): ReactElement {
  return (
    <rect
      className="chart-inner-border"
      x={x + INNER_GAP}
      y={y + INNER_GAP}
      width={width - 2 * INNER_GAP}
      height={height - 2 * INNER_GAP}
      rx={7}
    />
  );
}

function stateClasses({ path, type }: StateDescription, overlay: ChartOverlay): string {
  const classes = ['chart-state', path === '' ? 'is-root' : `is-${type}`];
  if (overlay.isLive(path)) classes.push('is-live');
  if (overlay.visits(path) > 0) classes.push('is-visited');
  const heat = overlay.dwell(path)?.heat ?? 0;
  if (heat > 0) classes.push(`is-heat-${heat}`);
  return classes.join(' ');
}

/**
 * At the right of a state's name: visits of one actor, or how many actors rest there. Overdue ones
 * differ in shape, not only in colour.
 */
function StateBadges({
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
