import { TerminalError } from '../errors.ts';
import type { ExtendedKey } from './extended-key.ts';
import { acceptedTestPrefixes } from './key-versions.ts';
import { CHAIN_ADDRESSING } from './networks.ts';

/**
 * Refuses the key of a main network's wallet for test payments. Wallets of Ethereum export one form for all networks, so there
 * the form says nothing. Throws a `TerminalError` `INVALID_EXTENDED_KEY`.
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
