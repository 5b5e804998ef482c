/**
 * Whether an enhanced status code (RFC 3463) means that a mailbox permanently accepts no email.
 * Class 5 is permanent. As for recipient replies in `classifySendError`, policy codes (5.7.Z) say
 * nothing about the mailbox. Neither do codes about the message itself: its content (5.6.Z) or its
 * size (5.3.4), which a server may only detect after accepting it.
 */
export function saysNoMailbox(status: string): boolean {
  const [, topic, detail] = STATUS.exec(status) ?? [];
  if (topic === undefined || topic === '6' || topic === '7') return false;
  return !(topic === '3' && detail === '4');
}

// Helpers

const STATUS = /^5\.(\d{1,3})\.(\d{1,3})$/;
