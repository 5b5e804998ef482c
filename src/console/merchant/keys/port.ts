import type { KeyChangesBody, KeyList, NewKeyBody, RevokedKey, RotateKeyBody, ShownKey } from '../../contract/keys.ts';
import type { Member } from '../member.ts';

/**
 * The API keys of the member's merchant. Changes reject with a `TerminalError`: `KEY_NOT_FOUND`,
 * also for another merchant's key, or an error of the use cases of `merchants` about a field.
 */
export interface KeysDesk {
  list(member: Member): Promise<KeyList>;
  create(member: Member, wanted: Required<NewKeyBody>): Promise<ShownKey>;
  rotate(member: Member, keyId: string, wanted: RotateKeyBody): Promise<ShownKey>;
  revoke(member: Member, keyId: string): Promise<RevokedKey>;
  /** Applies all changes or none. */
  change(member: Member, keyId: string, changes: KeyChangesBody): Promise<void>;
}
