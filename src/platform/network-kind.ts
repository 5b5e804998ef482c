/** `testnet` is a public test network, `regtest` a private one or the built-in simulation. */
export const NETWORK_KINDS = ['mainnet', 'testnet', 'regtest'] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];
