import type { ReactElement } from 'react';
import type { Box, FoldableChart, TransitionDescription } from '../../http/console/contract/charts.ts';
import {
  EVENT_LINE_HEIGHT,
  EVENT_PADDING,
  type EventLabel,
  eventLabel,
  GLYPH_WIDTH,
} from '../../http/console/text-measurement/index.ts';
import { type ChartOverlay, shortCount } from './chart-overlay.ts';
import { Always, Clock, Order } from './glyphs.tsx';
import { transitionWords } from './labels.ts';
import { ChartNode } from './node.tsx';

/**
 * An event with its guard: on the edge between two states, or inside the state it does not leave.
 */
export function EventChip({
  transition,
  chart,
  box,
  overlay,
  isSelected,
  onSelect,
}: {
  readonly transition: TransitionDescription;
  readonly chart: FoldableChart;
  readonly box: Box;
  readonly overlay: ChartOverlay;
  readonly isSelected: boolean;
  readonly onSelect: (() => void) | undefined;
}): ReactElement {
  const label = eventLabel(transition, chart);
  const takes = overlay.takes(transition.id);
  const textX = box.x + EVENT_PADDING + glyphsOf(label).length * GLYPH_WIDTH;
  const words = transitionWords(transition, overlay);
  return (
    <ChartNode
      name={`event:${transition.id}`}
      className={`chart-event${transition.to === null ? ' is-staying' : ''}${takes > 0 ? ' is-taken' : ''}`}
      box={box}
      label={words}
      hint={words}
      isTabStop={false}
      isSelected={isSelected}
      onSelect={onSelect}
    >
      <rect className="chart-box" x={box.x} y={box.y} width={box.width} height={box.height} rx={6} />
      <Glyphs label={label} box={box} />
      {label.lines.map(({ text, style }, line) => (
        <text
          key={text}
          className={style.isBold ? 'chart-event-name' : 'chart-guard'}
          x={textX}
          y={box.y + 4 + EVENT_LINE_HEIGHT * line + 12}
        >
          {text}
        </text>
      ))}
      {takes > 0 ? <Takes box={box} takes={takes} /> : null}
    </ChartNode>
  );
}

// Helpers

function glyphsOf({ glyph, order }: EventLabel): ('order' | 'clock' | 'always')[] {
  return [...(order === null ? [] : ['order' as const]), ...(glyph === null ? [] : [glyph])];
}

function Glyphs({ label, box }: { readonly label: EventLabel; readonly box: Box }): ReactElement {
  return (
    <>
      {glyphsOf(label).map((glyph, position) => {
        const at = { x: box.x + EVENT_PADDING + GLYPH_WIDTH * position + 6, y: box.y + 4 + EVENT_LINE_HEIGHT / 2 };
        if (glyph === 'clock') return <Clock key={glyph} {...at} />;
        if (glyph === 'always') return <Always key={glyph} {...at} />;
        return <Order key={glyph} {...at} order={label.order ?? 1} />;
      })}
    </>
  );
}

/** On the corner of the chip, where no edge starts or ends. */
function Takes({ box, takes }: { readonly box: Box; readonly takes: number }): ReactElement {
  const text = `${shortCount(takes)}×`;
  const width = text.length * 7 + 8;
  const [right, top] = [box.x + box.width + 8, box.y - 10];
  return (
    <g className="chart-pill chart-visits">
      <rect x={right - width} y={top} width={width} height={15} rx={7.5} />
      <text x={right - width / 2} y={top + 11.2} textAnchor="middle" className="chart-badge">
        {text}
      </text>
    </g>
  );
}
