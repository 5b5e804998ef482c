import { createHash, randomBytes } from 'node:crypto';

/**
 * Id prefixes: transaction, merchant, API key, webhook endpoint, event, delivery, replay, wallet,
 * user, request, mail, notice.
 */
export const ID_KINDS = ['txn', 'mer', 'key', 'whk', 'evt', 'dlv', 'rpl', 'wal', 'usr', 'req', 'eml', 'ntc'] as const;
export type IdKind = (typeof ID_KINDS)[number];

/**
 * Such as `txn_` and 26 characters of lower-case Crockford base32, which has no ambiguous i, l, o
 * or u.
 */
export type Id<K extends IdKind = IdKind> = `${K}_${string}`;

/**
 * Returns a new id: 48 bits of Unix milliseconds, then 82 random bits. Later ids sort later byte by
 * byte, so the newest rows of all tables and indexes are close together; within a millisecond the
 * order is random. An id reveals when it was made. Knowing a payment's id gives access to its page:
 * who knows the millisecond must still guess one of 2^82 ids, at a million a second for 77 billion
 * years on average. Not for secrets, which reveal nothing.
 */
export function newId<K extends IdKind>(kind: K): Id<K> {
  const body = randomBytes(BODY_BYTES);
  body.writeUIntBE(Date.now(), 0, TIME_BYTES);
  return `${kind}_${base32(body)}`;
}

/**
 * Returns a deterministic id: the same kind and parts give the same id in every process and
 * version, so work that is repeated after a crash finds its own rows. Parts are hashed as a JSON
 * array, so ('a', 'bc') differs from ('ab', 'c') and 1 from '1'. Anyone who knows the parts can
 * compute the id: if it must be unguessable, one part must be. Throws `RangeError` for a number
 * that is not a safe integer.
 */
export function derivedId<K extends IdKind>(kind: K, ...parts: readonly (string | number)[]): Id<K> {
  for (const part of parts) {
    if (typeof part === 'number' && !Number.isSafeInteger(part)) {
      throw new RangeError(`an id is derived from strings and whole numbers, got ${part}`);
    }
  }
  // JSON writes -0 as 0, as intended: they are equal numbers.
  const digest = createHash('sha256').update(JSON.stringify([kind, ...parts]));
  return `${kind}_${base32(digest.digest())}`;
}

/**
 * Like `derivedId`, but begins with the time of the id that is its first part, to within 8 ms, and
 * so sorts next to it; 85 bits of the hash remain. If that part is not an id, they all do.
 */
export function derivedIdNextTo<K extends IdKind>(kind: K, id: string, ...parts: readonly (string | number)[]): Id<K> {
  const hash = derivedId(kind, id, ...parts);
  const time = ANY_ID.exec(id)?.[1];
  return time === undefined ? hash : `${kind}_${time}${hash.slice(kind.length + 1 + time.length)}`;
}

/** True when the text has the form of an id of this kind; it need not exist. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  return text.startsWith(`${kind}_`) && ID_BODY.test(text.slice(kind.length + 1));
}

// Helpers

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BODY_CHARACTERS = 26;
const BITS_PER_CHARACTER = 5;
const BODY_BYTES = Math.ceil((BODY_CHARACTERS * BITS_PER_CHARACTER) / 8);
const TIME_BYTES = 6;
/** All characters that have no random bit. */
const TIME_CHARACTERS = Math.floor((TIME_BYTES * 8) / BITS_PER_CHARACTER);
const ID_BODY = new RegExp(`^[${ALPHABET}]{${BODY_CHARACTERS}}$`);
const ANY_ID = new RegExp(
  `^(?:${ID_KINDS.join('|')})_([${ALPHABET}]{${TIME_CHARACTERS}})[${ALPHABET}]{${BODY_CHARACTERS - TIME_CHARACTERS}}$`,
);

/** The first 130 bits as 26 characters, most significant bits first. Needs at least 17 bytes. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes.subarray(0, BODY_BYTES)) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= BITS_PER_CHARACTER && text.length < BODY_CHARACTERS) {
      pendingBits -= BITS_PER_CHARACTER;
      text += ALPHABET[(pending >>> pendingBits) & 31];
      pending &= (1 << pendingBits) - 1;
    }
  }
  return text;
}
