import { TerminalError } from '../errors.ts';
import type { ExtendedKey } from './extended-key.ts';
import { acceptedTestPrefixes } from './key-versions.ts';
import { CHAIN_ADDRESSING } from './networks.ts';

/**
 * Rejects a mainnet wallet's key for test payments with a `TerminalError` `INVALID_EXTENDED_KEY`.
 * Accepts any Ethereum key, because Ethereum wallets export one form for all networks.
 */
export function requireTestForm({ chain, prefix }: Pick<ExtendedKey, 'chain' | 'prefix'>): void {
  const accepted = acceptedTestPrefixes(chain);
  if (chain === 'ethereum' || accepted.includes(prefix)) return;
  throw new TerminalError(
    'INVALID_EXTENDED_KEY',
    `A ${prefix} is a key of the main network, and test payments never use a live wallet. ` +
      `Test payments in ${CHAIN_ADDRESSING[chain].name} take: ${accepted.join(', ')}.`,
  );
}
