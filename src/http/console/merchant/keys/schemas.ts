import { type Static, Type } from 'typebox';
import type { KeySummary } from '../../../../merchants/index.ts';
import { list, oneOf, text, textOrNone, whole } from '../../schema.ts';
import { Mode } from '../schemas.ts';

export type { IssuedKey as ShownKey } from '../../../../merchants/index.ts';

/** The API keys of a merchant, of both modes. Owners change them; staff can read them. */
export const KeyKind = oneOf(['secret', 'publishable']);
export type KeyKind = Static<typeof KeyKind>;

/** An empty `allowedCidrs` does not restrict the key. */
export interface KeyInfo extends KeySummary {
  readonly works: boolean;
}

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

/**
 * May be empty. Above the limit of a name, so that the feature's error can state that limit; the
 * same holds for the ranges of a key.
 */
const KeyName = textOrNone(500);
const MAX_CIDRS = 150;

export const NewKeyBody = Type.Object({
  kind: KeyKind,
  mode: Mode,
  name: Type.Optional(KeyName),
  oneOpenPaymentPerIp: Type.Optional(Type.Boolean()),
});
export type NewKeyBody = Static<typeof NewKeyBody>;

export const RotateKeyBody = Type.Object({
  /** How long the old key also works; 0 ends it immediately. */
  overlapMs: whole(0, Number.MAX_SAFE_INTEGER),
});
export type RotateKeyBody = Static<typeof RotateKeyBody>;

export interface RevokedKey {
  readonly id: string;
  readonly endedAt: number;
}

/** Omitted fields stay unchanged. `allowedCidrs` may need the password again. */
export const KeyChangesBody = Type.Object(
  {
    name: Type.Optional(KeyName),
    oneOpenPaymentPerIp: Type.Optional(Type.Boolean()),
    /** Only for secret keys; an empty list allows the key to be used from anywhere again. */
    allowedCidrs: Type.Optional(list(text(100), MAX_CIDRS)),
  },
  { minProperties: 1 },
);
export type KeyChangesBody = Static<typeof KeyChangesBody>;
