import type { ReactElement } from 'react';
import type { Box, StateDescription } from '../../http/console/contract/charts.ts';
import { NOTE_HEIGHT, STATE_PADDING, stateLabel } from '../../http/console/text-measurement/index.ts';
import type { ChartOverlay } from './chart-overlay.ts';
import type { Head } from './head-position.ts';
import { dwellText, stateHint, stateWords } from './labels.ts';
import { ChartNode } from './node.tsx';
import { StateBadges } from './state-badges.tsx';

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
