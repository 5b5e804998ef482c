import type { LiveListener } from '../../live/index.ts';
import type { Member } from '../member.ts';

/** What happens to the actors of a merchant, as it happens. */
export interface LiveDesk {
  /**
   * Tells of what happens from now on or since a position, and never of another merchant's. Resolves with the way to leave, or null
   * when there are too many listeners.
   */
  follow(member: Member, listener: LiveListener, since: string | null): Promise<(() => void) | null>;
}
