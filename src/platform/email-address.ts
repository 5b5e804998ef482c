/** Whether a text has the usual form of RFC 5321, in ASCII, without quoted parts. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_CHARACTERS && ADDRESS.test(text);
}

/**
 * The mailbox of an address, in lower case: the same for each of its `+tag` addresses (RFC 5233).
 */
export function mailboxOf(email: string): string {
  return email
    .trim()
    .toLowerCase()
    .replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

// Helpers

/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const MAX_CHARACTERS = 254;
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
