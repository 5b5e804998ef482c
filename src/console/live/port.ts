import type { LiveChange } from '../contract/actors.ts';

/** A subscriber to changes of actors. */
export interface LiveListener {
  /** Changes in the order they are sent. A subscription from `position` continues after them. */
  onChanges(changes: readonly LiveChange[], position: string): void;
  /** Too many changes to send one by one: all data must be fetched again. */
  onReload(position: string): void;
  /**
   * No changes for this listener up to this position. Also called at the start of a subscription
   * without a position.
   */
  onPassed(position: string): void;
}
