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
