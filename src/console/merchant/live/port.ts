import type { LiveListener } from '../../live/index.ts';
import type { Member } from '../member.ts';

/** Live updates of a merchant's actors. */
export interface LiveDesk {
  /**
   * Subscribes to changes from now on or since a position, only those of the member's merchant.
   * Resolves with a function to unsubscribe, or null when there are too many listeners.
   */
  follow(member: Member, listener: LiveListener, since: string | null): Promise<(() => void) | null>;
}
