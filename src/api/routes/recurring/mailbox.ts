import { TerminalError } from '../../../errors.ts';

/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_CHARACTERS = 64;

/**
 * The address of one mailbox that mail can be sent to, from text that has the form of an address already. Throws
 * `INVALID_REQUEST` when the part before the @ is longer than any mail server takes.
 */
export function requireMailbox(address: string): string {
  if (address.lastIndexOf('@') <= MAX_LOCAL_CHARACTERS) return address;
  throw new TerminalError(
    'INVALID_REQUEST',
    `customer_email may have at most ${MAX_LOCAL_CHARACTERS} characters before the @`,
    { field: 'customer_email' },
  );
}
