/**
 * Public block explorers by network name. Networks without an entry have none: local and simulated
 * networks, and test networks without a lasting explorer.
 */
const EXPLORERS: Readonly<Record<string, { readonly name: string; readonly transactions: string }>> = {
  'bitcoin-mainnet': { name: 'mempool.space', transactions: 'https://mempool.space/tx/' },
  'bitcoin-testnet': { name: 'mempool.space', transactions: 'https://mempool.space/testnet4/tx/' },
  'litecoin-mainnet': { name: 'litecoinspace.org', transactions: 'https://litecoinspace.org/tx/' },
  'dogecoin-mainnet': { name: 'dogechain.info', transactions: 'https://dogechain.info/tx/' },
  'dash-mainnet': { name: 'insight.dash.org', transactions: 'https://insight.dash.org/insight/tx/' },
  'ethereum-mainnet': { name: 'etherscan.io', transactions: 'https://etherscan.io/tx/' },
  'ethereum-testnet': { name: 'sepolia.etherscan.io', transactions: 'https://sepolia.etherscan.io/tx/' },
};

const TXID = /^(?:0x)?[0-9a-f]{64}$/i;

/**
 * The explorer page of a transaction; null where the network has none, or the text is not a txid.
 */
export function explorerOf(network: string, txid: string): { readonly name: string; readonly url: string } | null {
  const explorer = Object.hasOwn(EXPLORERS, network) ? EXPLORERS[network] : undefined;
  if (explorer === undefined || !TXID.test(txid)) return null;
  return { name: explorer.name, url: `${explorer.transactions}${txid}` };
}
