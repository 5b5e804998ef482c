import { randomBytes } from 'node:crypto';

/** Crockford's base 32 in lower case: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 12;
const CODE = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/** The code of a link's short address: 60 random bits, unique over the installation. */
export function newCode(): string {
  return [...randomBytes(CHARACTERS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Whether the text is a valid code. No link need exist for it. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** The short address of a link: it contains no key, so it can be shared as it is. */
export function shortAddress(publicUrl: string, { code }: { readonly code: string }): string {
  return `${publicUrl}/l/${code}`;
}

const SLUG_BYTES = 16;
/** Needs no escaping in a URL and has no letter case to confuse. */
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$';
const SLUG = new RegExp(SLUG_PATTERN);

/** The rule for custom slugs, as text. */
export const SLUG_RULE =
  'A slug has 3 to 64 characters: lower-case letters, digits, and hyphens that are neither first nor last';

/** A slug that cannot be guessed: 128 random bits. */
export function newSlug(): string {
  return randomBytes(SLUG_BYTES).toString('hex');
}

/** Whether the text is a valid slug. No link need exist for it. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
