/**
 * Labels of a chart's boxes and their sizes: for the server, which computes the layout, and for
 * browsers, which draw it.
 */

export { foldedChart, foldedId } from './folded-chart.ts';
export { type EventLabel, eventLabel, stateLabel } from './labels.ts';
export {
  EVENT_LINE_HEIGHT,
  EVENT_PADDING,
  eventSize,
  GLYPH_WIDTH,
  HEAD_GAP,
  headSize,
  INITIAL_SIZE,
  internalTransitionsOf,
  NOTE_HEIGHT,
  ROW_GAP,
  type Size,
  STATE_PADDING,
  stackSize,
  stateSize,
} from './sizes.ts';
