import type { ChartLayout } from '../../http/console/contract/charts.ts';
import { SMALLEST_SCALE } from './view.ts';

/** Padding and border of the card around a chart. */
const CARD_EDGES_PX = 26;
/** Below this width a chart is a list. */
const SMALLEST_PICTURE = '40rem';

/** The CSS width that the card of a chart needs; with less beside others, those go below it. */
export function roomFor(layout: ChartLayout | undefined, isFolded: boolean): string {
  if (!isFolded) return '100%';
  const readablePx = Math.ceil((layout?.width ?? 0) * SMALLEST_SCALE);
  return `calc(max(${SMALLEST_PICTURE}, ${readablePx}px) + ${CARD_EDGES_PX}px)`;
}
