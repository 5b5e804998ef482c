import { ASSETS, CRYPTO_SYMBOLS } from '../../../machines/index.ts';
import type { PaymentNetworks } from '../../payments/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { NetworkKind } from '../../wallets/index.ts';
import type { WalletEntry } from './file.ts';

/**
 * The network of a wallet in the provisioning file. Without a node, a live wallet belongs to
 * mainnet and is used once a node is configured. A test wallet without a node has no network:
 * throws a `TerminalError` that names the settings.
 */
export function walletNetwork(networks: PaymentNetworks, { mode, crypto }: WalletEntry): NetworkKind {
  const { chain } = ASSETS[crypto];
  const kind = networks.kindOf(mode, chain);
  if (kind === 'simulated') {
    throw invalid(
      '"test" needs TEST_MODE=onchain, because simulated test payments use a built-in wallet; set it, or remove this wallet',
    );
  }
  if (kind !== null) return kind;
  if (mode === 'live') return 'mainnet';
  const coin = CRYPTO_SYMBOLS.find((symbol) => ASSETS[symbol].chain === chain && ASSETS[symbol].type === 'coin');
  const prefix = `TEST_${coin ?? crypto}`;
  throw invalid(
    `"test" needs a node of ${chain} for test keys; set ${prefix}_NETWORK and ${prefix}_RPC_URL, or remove this wallet`,
  );
}

// Helpers

function invalid(message: string): TerminalError {
  return new TerminalError('PROVISIONING_FILE', message);
}
