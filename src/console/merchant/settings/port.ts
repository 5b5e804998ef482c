import type { SettingsChangeBody, SettingsInfo, SettingsValues } from '../../contract/settings.ts';
import type { Member } from '../member.ts';

/** The settings of a merchant. */
export interface SettingsDesk {
  read(member: Member): Promise<SettingsInfo>;
  /**
   * Rejects with a `TerminalError`: `INVALID_REQUEST` with the field, `CONFLICT` when another user
   * saved first.
   */
  change(member: Member, body: SettingsChangeBody): Promise<SettingsValues>;
}
