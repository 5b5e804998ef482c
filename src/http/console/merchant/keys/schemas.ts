import { type Static, Type } from 'typebox';
import { list, nullable, oneOf, text, textOrNone, whole } from '../../schema.ts';
import { Mode } from '../schemas.ts';

/** The API keys of a merchant, of both modes. Owners change them; staff can read them. */
export const KeyKind = oneOf(['secret', 'publishable']);
export type KeyKind = Static<typeof KeyKind>;

/** The metadata of a key; never the key itself. */
export const KeyInfo = Type.Object({
  id: Type.String(),
  kind: KeyKind,
  mode: Mode,
  /** The merchant's name for it; may be empty. */
  name: Type.String(),
  /** Its last four characters. */
  hint: Type.String(),
  /** CIDR ranges it is restricted to; empty: it may be used from anywhere. */
  allowedCidrs: list(Type.String()),
  /** Each client address of a customer may have one open payment at a time. */
  oneOpenPaymentPerIp: Type.Boolean(),
  createdAt: Type.Number(),
  /** To the minute; null when never used. */
  lastUsedAt: nullable(Type.Number()),
  /** When it stops working, possibly in the future. Null: it works until it is revoked. */
  endsAt: nullable(Type.Number()),
  works: Type.Boolean(),
});
export type KeyInfo = Static<typeof KeyInfo>;

export const KeyList = Type.Object({
  /** Active keys, oldest first. */
  keys: list(KeyInfo),
  /** The most recently ended keys, the last to end first. */
  ended: list(KeyInfo),
  /** Whether the plan allows restricting keys to addresses. */
  canTieToAddresses: Type.Boolean(),
  /** Longest time for which a key and its successor both work. */
  maxOverlapMs: Type.Number(),
});
export type KeyList = Static<typeof KeyList>;

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

export const RevokedKey = Type.Object({
  id: Type.String(),
  endedAt: Type.Number(),
});
export type RevokedKey = Static<typeof RevokedKey>;

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

/** A new key. It is returned only once. */
export const ShownKey = Type.Object({
  id: Type.String(),
  key: Type.String(),
});
export type ShownKey = Static<typeof ShownKey>;
