/** What an EIP-681 URI of an ERC-20 transfer asks a wallet to do. */
export interface Transfer {
  readonly contract: string;
  readonly chainId: number;
  readonly address: string;
  readonly baseUnits: bigint;
}

const TRANSFER = /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)\/transfer\?address=(0x[0-9a-fA-F]{40})&uint256=(\d+)$/;

/** Reads a URI as a wallet would. Throws for anything but a whole transfer. */
export function parseTransferUri(uri: string): Transfer {
  const [, contract, chainId, address, baseUnits] = TRANSFER.exec(uri) ?? [];
  if (contract === undefined || address === undefined || baseUnits === undefined) {
    throw new Error(`not a transfer of a token: ${uri}`);
  }
  return { contract, chainId: Number(chainId), address, baseUnits: BigInt(baseUnits) };
}
