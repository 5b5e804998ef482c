import { createHash, randomBytes } from 'node:crypto';

/**
 * What an id names, as its prefix: transaction, merchant, API key, webhook endpoint, event, delivery, replay,
 * wallet, user, request, mail, notice.
 */
export const ID_KINDS = ['txn', 'mer', 'key', 'whk', 'evt', 'dlv', 'rpl', 'wal', 'usr', 'req', 'eml', 'ntc'] as const;
export type IdKind = (typeof ID_KINDS)[number];

/** `txn_` and 26 characters of lower-case Crockford base32, which has no i, l, o or u to misread. */
export type Id<K extends IdKind = IdKind> = `${K}_${string}`;

/**
 * A new id that cannot be guessed: 130 random bits. The page of a payment is reached by knowing its
 * id, so this is a capability and not just a name.
 */
export function newId<K extends IdKind>(kind: K): Id<K> {
  return `${kind}_${base32(randomBytes(BODY_BYTES))}`;
}

/**
 * The id that follows from the parts: same kind and parts, same id, in every process and version. Work that
 * is fanned out twice after a crash therefore meets its own rows. Parts are hashed as a JSON array, so
 * ('a', 'bc') differs from ('ab', 'c') and 1 from '1'. Whoever knows the parts knows the id: derive ids
 * only from parts of which one is itself unguessable, when the id must be.
 */
export function derivedId<K extends IdKind>(kind: K, ...parts: readonly (string | number)[]): Id<K> {
  for (const part of parts) {
    if (typeof part === 'number' && !Number.isSafeInteger(part)) {
      throw new RangeError(`an id is derived from strings and whole numbers, got ${part}`);
    }
  }
  // JSON writes -0 as 0, which is wanted: they are equal numbers.
  const digest = createHash('sha256').update(JSON.stringify([kind, ...parts]));
  return `${kind}_${base32(digest.digest())}`;
}

/** True when the text has the form of an id of this kind. It may still name nothing. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  return text.startsWith(`${kind}_`) && ID_BODY.test(text.slice(kind.length + 1));
}

// Helpers

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BODY_CHARACTERS = 26;
const BITS_PER_CHARACTER = 5;
const BODY_BYTES = Math.ceil((BODY_CHARACTERS * BITS_PER_CHARACTER) / 8);
const ID_BODY = new RegExp(`^[${ALPHABET}]{${BODY_CHARACTERS}}$`);

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
