import type { Mode } from './desk.ts';

/** The API keys of a merchant, of both modes. Owners change them; staff can read them. */

export type KeyKind = 'secret' | 'publishable';

/** The metadata of a key; never the key itself. */
export interface KeyInfo {
  readonly id: string;
  readonly kind: KeyKind;
  readonly mode: Mode;
  /** The merchant's name for it; may be empty. */
  readonly name: string;
  /** Its last four characters. */
  readonly hint: string;
  /** CIDR ranges it is restricted to; empty: it may be used from anywhere. */
  readonly allowedCidrs: readonly string[];
  /** Each client address of a customer may have one open payment at a time. */
  readonly oneOpenPaymentPerIp: boolean;
  readonly createdAt: number;
  /** To the minute; null when never used. */
  readonly lastUsedAt: number | null;
  /** When it stops working, possibly in the future. Null: it works until it is revoked. */
  readonly endsAt: number | null;
  readonly works: boolean;
}

/** GET `merchant/keys`. */
export interface KeyList {
  /** Active keys, oldest first. */
  readonly keys: readonly KeyInfo[];
  /** The most recently ended keys, the last to end first. */
  readonly ended: readonly KeyInfo[];
  /** Whether the plan allows restricting keys to addresses. */
  readonly canTieToAddresses: boolean;
  /** Longest time for which a key and its successor both work. */
  readonly maxOverlapMs: number;
}

/** POST `merchant/keys`; returns `ShownKey`. */
export interface NewKeyBody {
  readonly kind: KeyKind;
  readonly mode: Mode;
  readonly name?: string;
  readonly oneOpenPaymentPerIp?: boolean;
}

/** POST `merchant/keys/:id/rotate`; returns the `ShownKey` that replaces it. */
export interface RotateKeyBody {
  /** How long the old key also works; 0 ends it immediately. */
  readonly overlapMs: number;
}

/** POST `merchant/keys/:id/revoke`. */
export interface RevokedKey {
  readonly id: string;
  readonly endedAt: number;
}

/**
 * PATCH `merchant/keys/:id`; omitted fields stay unchanged. Returns `{id}`. `allowedCidrs` may need
 * the password again.
 */
export interface KeyChangesBody {
  readonly name?: string;
  readonly oneOpenPaymentPerIp?: boolean;
  /** Only for secret keys; an empty list allows the key to be used from anywhere again. */
  readonly allowedCidrs?: readonly string[];
}

/** A new key. It is returned only once. */
export interface ShownKey {
  readonly id: string;
  readonly key: string;
}
