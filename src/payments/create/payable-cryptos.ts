import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol, type Mode } from '../../../machines/index.ts';
import { type Caller, type Cryptocurrency, describeCrypto, findWalletCryptos } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { networkName } from '../../wallets/index.ts';
import type { PaymentNetworks } from '../payment-networks.ts';
import type { CreateDeps } from './create-transaction.ts';

/** All supported coins and tokens, with the network that payments of this mode use. */
export function listCryptos(networks: Pick<PaymentNetworks, 'kindOf'>, mode: Mode): Cryptocurrency[] {
  return CRYPTO_SYMBOLS.map((symbol) => {
    const { chain } = ASSETS[symbol];
    // Without a node nothing can be paid there; this is the network it would be.
    const kind = networks.kindOf(mode, chain) ?? WITHOUT_NODE[mode];
    return describeCrypto(symbol, networkName(chain, kind));
  });
}

/**
 * What `createTransaction` would accept from this caller now: coins with a wallet on a network that
 * this deployment watches. Simulated payments need no wallet. A lagging network is excluded only
 * for merchants whose settings reject payments then.
 */
export async function listPayableCryptos(
  { db, networks, overview }: Pick<CreateDeps, 'db' | 'networks' | 'overview'>,
  { merchantId, mode, settings }: Pick<Caller, 'merchantId' | 'mode' | 'settings'>,
): Promise<Cryptocurrency[]> {
  const all = listCryptos(networks, mode);
  if (networks.isSimulated(mode)) return all;
  const wallets = await findWalletCryptos(db, { merchantId, mode });
  const isTaken = await Promise.all(
    all.map(async ({ symbol }) => {
      const network = networkOrNull(networks, mode, symbol);
      if (network === null) return false;
      if (!wallets.some((wallet) => wallet.crypto === symbol && wallet.network === network)) return false;
      if (!(await overview.isPayable(network, symbol))) return false;
      return !settings.refuseWhenNetworkLags || (await overview.isWatched(network));
    }),
  );
  return all.filter((_, index) => isTaken[index]);
}

// Helpers

const WITHOUT_NODE = { live: 'mainnet', test: 'testnet' } as const;

function networkOrNull(networks: PaymentNetworks, mode: Mode, crypto: CryptoSymbol): string | null {
  try {
    return networks.networkOf(mode, crypto);
  } catch (error) {
    if (error instanceof TerminalError && error.code === 'WALLET_NOT_CONFIGURED') return null;
    throw error;
  }
}
