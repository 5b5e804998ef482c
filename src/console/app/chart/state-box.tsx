import type { ReactElement } from 'react';
import type { Box, StateInfo } from '../../contract/charts.ts';
import { headSize, NOTE_HEIGHT, STATE_PADDING, stateLabel, TITLE_HEIGHT } from '../../text-measurement/index.ts';
import { Warning } from './glyphs.tsx';
import { stateHint, stateWords } from './labels.ts';
import { type Marks, shortCount } from './marks.ts';
import { ChartNode } from './node.tsx';

/**
 * A state with its name, what it waits for, and at the right how many actors rest there or how
 * often it was visited.
 */
export function StateBox({
  state,
  box,
  headX,
  marks,
  isSelected,
  onSelect,
}: {
  readonly state: StateInfo;
  readonly box: Box;
  /** Start of its text and counts, if not at the left; a branch moves them away from edges. */
  readonly headX?: number | undefined;
  readonly marks: Marks;
  readonly isSelected: boolean;
  readonly onSelect: (() => void) | undefined;
}): ReactElement {
  const { path, type } = state;
  const { title, note } = stateLabel(state);
  const left = headX ?? box.x + STATE_PADDING;
  const right =
    headX === undefined ? box.x + box.width - STATE_PADDING : headX + headSize(state).width - 2 * STATE_PADDING;
  const firstLine = box.y + STATE_PADDING + 14;
  return (
    <ChartNode
      name={`state:${path}`}
      className={stateClasses(state, marks)}
      box={box}
      label={stateWords(state, marks)}
      hint={path === '' ? 'Handled in every state' : stateHint(state)}
      isTabStop
      isSelected={isSelected}
      onSelect={onSelect}
    >
      <rect className="chart-box" x={box.x} y={box.y} width={box.width} height={box.height} rx={10} />
      {type === 'final' ? <InnerBorder {...box} /> : null}
      <text className="chart-title" x={left} y={firstLine}>
        {title}
      </text>
      {note === null ? null : (
        <text className="chart-note" x={left} y={firstLine + NOTE_HEIGHT}>
          {note}
        </text>
      )}
      <Badges path={path} marks={marks} right={right} top={box.y + STATE_PADDING - 1} />
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

/** Overdue actors differ in shape, not only in colour. */
function Badges({
  path,
  marks,
  right,
  top,
}: {
  readonly path: string;
  readonly marks: Marks;
  readonly right: number;
  readonly top: number;
}): ReactElement | null {
  const visits = marks.visits(path);
  if (visits > 0) return <Pill className="chart-visits" text={`${shortCount(visits)}×`} right={right} top={top} />;
  const resting = marks.resting(path);
  if (resting === null || resting.count === 0) return null;
  return (
    <>
      <Pill className="chart-count" text={shortCount(resting.count)} right={right} top={top} />
      {resting.overdue === 0 ? null : (
        <g className="chart-overdue">
          <text x={right} y={top + TITLE_HEIGHT + 12} textAnchor="end" className="chart-badge">
            {shortCount(resting.overdue)}
          </text>
          <Warning x={right - 10 - shortCount(resting.overdue).length * DIGIT_WIDTH} y={top + TITLE_HEIGHT + 8} />
        </g>
      )}
    </>
  );
}

/** Width of the 11 px digits in badges, all of which are equally wide. */
const DIGIT_WIDTH = 7.4;

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
  const width = Math.max(20, text.length * DIGIT_WIDTH + 10);
  return (
    <g className={`chart-pill ${className}`}>
      <rect x={right - width} y={top} width={width} height={18} rx={9} />
      <text x={right - width / 2} y={top + 13} textAnchor="middle" className="chart-badge">
        {text}
      </text>
    </g>
  );
}

function stateClasses({ path, type }: StateInfo, marks: Marks): string {
  const classes = ['chart-state', path === '' ? 'is-root' : `is-${type}`];
  if (marks.isLive(path)) classes.push('is-live');
  if (marks.visits(path) > 0) classes.push('is-visited');
  return classes.join(' ');
}
