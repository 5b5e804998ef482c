/** A webhook to a forbidden address was blocked before the connection, or right after it. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** The message names the address and what the operator can do if it should be allowed. */
export function blockedAddress(host: string, address: string): BlockedAddressError {
  const where = host === address ? address : `${host} is at ${address}, which`;
  return new BlockedAddressError(
    `${where} is not a public address. Use a public one, or have the operator allow it with WEBHOOK_ALLOW_CIDRS.`,
  );
}
