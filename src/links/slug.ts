import { randomBytes } from 'node:crypto';

const SLUG_BYTES = 16;
/** Nothing in it must be escaped in an address, or can be mistaken when it is read aloud in another case. */
const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,62}[a-z0-9])$/;

/** What a slug of one's own must look like, in words. */
export const SLUG_RULE =
  'A slug has 3 to 64 characters: lower-case letters, digits, and hyphens that are neither first nor last';

/** A slug nobody can guess: 128 random bits. */
export function newSlug(): string {
  return randomBytes(SLUG_BYTES).toString('hex');
}

/** Whether the text can be a slug at all. It may still name nothing. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
