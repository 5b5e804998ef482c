import { hash, verify } from '@node-rs/argon2';
import { TerminalError } from '../../platform/errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const MIN_CHARACTERS = 10;
const MAX_CHARACTERS = 256;

/**
 * Checks a chosen password (NIST SP 800-63B: length and a list of common ones, no rules about
 * character classes). Throws a `TerminalError` `WEAK_PASSWORD` that says what to do.
 */
export function checkPassword(password: string, email: string | null = null): void {
  const characters = Array.from(password);
  if (characters.length < MIN_CHARACTERS || characters.length > MAX_CHARACTERS) {
    throw weak(`must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters; several words are easy to remember`);
  }
  const plain = password.toLowerCase();
  if (COMMON_PASSWORDS.has(plain) || new Set(characters).size < MIN_DISTINCT) {
    throw weak('is too common; choose one that you use nowhere else, like several words');
  }
  if (email !== null && plain.includes(email.toLowerCase())) {
    throw weak('must not contain the email address; choose one that is harder to guess');
  }
}

/** argon2id (RFC 9106) as a PHC string, with the parameters that OWASP recommends. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), PARAMETERS);
}

/**
 * Whether the password matches the hash. Without a hash it returns false after the same work, so
 * that the response time does not reveal which logins exist.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const known = stored?.startsWith(ARGON2ID) ? stored : null;
  const isRight = await verify(known ?? HASH_OF_NOTHING, normalized(password));
  return isRight && known !== null;
}

// Helpers

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const ARGON2ID = '$argon2id$';
/** Hash of 32 discarded random bytes, with the same parameters. */
const HASH_OF_NOTHING =
  '$argon2id$v=19$m=19456,t=2,p=1$MThFIyT0KS5RWsUWweW6Xg$jPz3QTfAWRFOXO/fiEBglx1z6pcCwzjEjIlU0xNHOXA';
/** A password with fewer distinct characters is a pattern, regardless of its length. */
const MIN_DISTINCT = 4;

/** Keyboards encode the same character in different ways (NIST SP 800-63B, 5.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

function weak(problem: string): TerminalError {
  return new TerminalError('WEAK_PASSWORD', `The password ${problem}`, { field: 'password' });
}
