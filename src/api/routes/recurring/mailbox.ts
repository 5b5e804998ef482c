import { TerminalError } from '../../../errors.ts';

/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_CHARACTERS = 64;

/**
 * Returns the address, which already has a valid form. Throws `INVALID_REQUEST` when the part
 * before the @ is longer than mail servers accept.
 */
export function requireMailbox(address: string): string {
  if (address.lastIndexOf('@') <= MAX_LOCAL_CHARACTERS) return address;
  throw new TerminalError(
    'INVALID_REQUEST',
    `customer_email may have at most ${MAX_LOCAL_CHARACTERS} characters before the @`,
    { field: 'customer_email' },
  );
}
