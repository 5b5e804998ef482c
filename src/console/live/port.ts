import type { LiveChange } from '../contract/actors.ts';

/** Somebody who is told what happens to actors. */
export interface LiveListener {
  /** Changes in the order they are told. Whoever comes again with `position` goes on behind them. */
  onChanges(changes: readonly LiveChange[], position: string): void;
  /** Too much has happened to tell it one by one: everything shown must be read anew. */
  onReload(position: string): void;
  /** Nothing that this listener is told of has happened up to here. Told also at the beginning, without a position to go on from. */
  onPassed(position: string): void;
}
