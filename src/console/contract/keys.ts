import type { Mode } from './desk.ts';

/** The API keys of a merchant, of both modes. Owners change them; staff may look. */

export type KeyKind = 'secret' | 'publishable';

/** What can be shown of a key; never the key itself. */
export interface KeyInfo {
  readonly id: string;
  readonly kind: KeyKind;
  readonly mode: Mode;
  /** What it is for, in the merchant's words; may be empty. */
  readonly name: string;
  /** Its last four characters. */
  readonly hint: string;
  /** Blocks of addresses it is tied to; none: it may be used from anywhere. */
  readonly allowedCidrs: readonly string[];
  /** Each address of a customer may have one open payment at a time. */
  readonly oneOpenPaymentPerIp: boolean;
  readonly createdAt: number;
  /** Exact to a minute; null when it was never used. */
  readonly lastUsedAt: number | null;
  /** From then on it does not work; may lie ahead. Null: it works until it is revoked. */
  readonly endsAt: number | null;
  readonly works: boolean;
}

/** GET `merchant/keys`. */
export interface KeyList {
  /** All that work, oldest first. */
  readonly keys: readonly KeyInfo[];
  /** The newest of those that work no more, the last to end first. */
  readonly ended: readonly KeyInfo[];
  /** Whether the plan lets keys be tied to addresses. */
  readonly canTieToAddresses: boolean;
  /** Longest time for which a key and its successor both work. */
  readonly maxOverlapMs: number;
}

/** POST `merchant/keys`; answers `ShownKey`. */
export interface NewKeyBody {
  readonly kind: KeyKind;
  readonly mode: Mode;
  readonly name?: string;
  readonly oneOpenPaymentPerIp?: boolean;
}

/** POST `merchant/keys/:id/rotate`; answers the `ShownKey` that takes its place. */
export interface RotateKeyBody {
  /** How long the old key works beside the new one; 0 ends it at once. */
  readonly overlapMs: number;
}

/** POST `merchant/keys/:id/revoke`. */
export interface RevokedKey {
  readonly id: string;
  readonly endedAt: number;
}

/** PATCH `merchant/keys/:id`; what is left out stays as it is. Answers `{id}`. */
export interface KeyChangesBody {
  readonly name?: string;
  readonly oneOpenPaymentPerIp?: boolean;
  /** Secret keys alone; an empty list lets the key be used from anywhere again. */
  readonly allowedCidrs?: readonly string[];
}

/** A new key. It is answered this once and cannot be asked for again. */
export interface ShownKey {
  readonly id: string;
  readonly key: string;
}
