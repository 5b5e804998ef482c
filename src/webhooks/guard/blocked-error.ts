/** A webhook would have gone where webhooks must not go; no connection was made, or it was cut at once. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
}

/** Says where it would have gone and what the operator can do when that is wanted. */
export function blockedAddress(host: string, address: string): BlockedAddressError {
  const where = host === address ? address : `${host} is at ${address}, which`;
  return new BlockedAddressError(
    `${where} is not a public address. Use a public one, or have the operator allow it with WEBHOOK_ALLOW_CIDRS.`,
  );
}
