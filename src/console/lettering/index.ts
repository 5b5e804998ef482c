/** What stands in the boxes of a chart and how much room it takes: for the server, which arranges them, and for browsers, which draw them. */

export { type EventLabel, eventLabel, stateLabel } from './labels.ts';
export {
  EVENT_LINE_HEIGHT,
  EVENT_PADDING,
  eventSize,
  GLYPH_WIDTH,
  HEAD_GAP,
  headSize,
  INITIAL_SIZE,
  NOTE_HEIGHT,
  ROW_GAP,
  type Size,
  STATE_PADDING,
  stackSize,
  stateSize,
  stayingIn,
  TITLE_HEIGHT,
} from './sizes.ts';
