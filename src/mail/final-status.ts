/**
 * Whether an enhanced status code (RFC 3463) says for good that a mailbox takes no mail. Class 5 is final. As with a reply to the
 * recipient in `classifySendError`, what is about policy (5.7.Z) says nothing of the mailbox, and neither does what is about
 * the message itself: its content (5.6.Z) or its size (5.3.4), which a server may only find out after it has taken it.
 */
export function saysNoMailbox(status: string): boolean {
  const [, topic, detail] = STATUS.exec(status) ?? [];
  if (topic === undefined || topic === '6' || topic === '7') return false;
  return !(topic === '3' && detail === '4');
}

// Helpers

const STATUS = /^5\.(\d{1,3})\.(\d{1,3})$/;
