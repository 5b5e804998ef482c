import { createCustomer } from '../../../demo/customer.ts';
import { openShop, type Shop } from '../../../demo/shop.ts';
import { createWorld, type World } from '../../../demo/world.ts';
import { ASSETS, CRYPTO_SYMBOLS, type CryptoSymbol, parseCoins } from '../../../machines/index.ts';
import type { TransactionView } from '../../../src/payments/index.ts';
import { addressNetwork, addressOfScript, type UtxoNetwork } from '../../../src/wallets/index.ts';
import { type DeployedToken, deployAllTokens, deployToken } from '../../support/contracts/deploy.ts';
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts';
import { type DialectNode, startDialectNode } from '../../support/nodes/dialect-node.ts';
import { startLitecoind } from '../../support/nodes/litecoind.ts';
import { createTestAccountKey } from '../../support/nodes/wallet.ts';
import { describeWith } from '../../support/run/components.ts';
import type { DescribeSuite } from '../../support/run/skip.ts';
import { scriptOfAddress } from '../../wallets/script-of-address.ts';
import { createAnyBackend } from '../backends.ts';

/**
 * A shop that accepts all sixteen coins, with a node for every chain: one Litecoin node, also
 * behind the dialect proxies for Bitcoin, Dogecoin and Dash, and one Ethereum node with a contract
 * for every token.
 */
export interface EveryCoinHarness {
  readonly world: World;
  readonly shop: Shop;
  readonly anvil: Anvil;
  tokenOf(crypto: CryptoSymbol): DeployedToken;
  readonly dash: DialectNode;
  /** Sends base units to an address of the coin's chain; returns the transaction's id. */
  pay(crypto: CryptoSymbol, address: string, baseUnits: bigint): Promise<string>;
  /** Mines blocks on the chain of a coin. */
  mine(crypto: CryptoSymbol, blocks: number): Promise<void>;
  close(): Promise<void>;
}

/** `describe` for suites that need a node of every chain. */
export const describeEveryCoin: DescribeSuite = describeWith('litecoind', 'anvil');

/** The token here whose issuer can remove coins from any address without a trace. */
export const SEIZABLE: CryptoSymbol = 'AAVE';

/**
 * Chosen so that 25 USD stays below the amounts that need more confirmations, and divides evenly.
 */
const USD_PER_COIN = '250';
const LITECOIN = addressNetwork('litecoin', 'regtest');

export async function startEveryCoinHarness(): Promise<EveryCoinHarness> {
  const node = await startLitecoind({ plainBytes: true });
  const anvil = await startAnvil();
  const tokens = await deployAllTokens(anvil);
  const seizable = await deployToken(anvil, { kind: 'SeizableToken', decimals: ASSETS[SEIZABLE].decimals });
  const tokenOf = (crypto: CryptoSymbol) => (crypto === SEIZABLE ? seizable : tokens.token(crypto));
  const [bitcoin, dogecoin, dash] = await Promise.all(
    (['BTC', 'DOGE', 'DASH'] as const).map((coin) => startDialectNode({ coin, upstream: node })),
  );
  const nodes = [bitcoin, dogecoin, dash].filter((each) => each !== undefined);
  const world = createWorld(node);
  const backend = await createAnyBackend();
  const customer = createCustomer(world);
  const shop = await openShop({
    world,
    wallets: CRYPTO_SYMBOLS.filter((crypto) => crypto !== 'LTC').map((crypto) => ({
      crypto,
      // A separate wallet for each coin, as for a merchant with sixteen accounts; one key for all
      // tokens works as well.
      extended_public_key: createTestAccountKey(`${crypto} of shop ${process.pid}`),
    })),
    env: {
      ...backend.env,
      ...Object.fromEntries(
        nodes.flatMap((each) => {
          return [
            [`${each.coin}_NETWORK`, 'regtest'],
            [`${each.coin}_RPC_URL`, each.url],
          ];
        }),
      ),
      ETH_NETWORK: 'regtest',
      ETH_RPC_URL: anvil.url,
      ETH_TOKENS: JSON.stringify({ ...tokens.overrides, [SEIZABLE]: seizable.address }),
      RATES_FIXED: JSON.stringify(Object.fromEntries(CRYPTO_SYMBOLS.map((crypto) => [crypto, USD_PER_COIN]))),
    },
  });
  if (dash === undefined) throw new Error('the node for Dash did not start');

  return {
    world,
    shop,
    anvil,
    tokenOf,
    dash,
    async pay(crypto, address, baseUnits) {
      const { chain, type } = ASSETS[crypto];
      if (chain !== 'ethereum') return customer.pay(litecoinAddressFor(crypto, address), baseUnits);
      if (type === 'token') return tokenOf(crypto).transfer(address, baseUnits);
      return anvil.send({ to: address, valueWei: baseUnits });
    },
    mine: (crypto, blocks) => (ASSETS[crypto].chain === 'ethereum' ? anvil.mine(blocks) : customer.mine(blocks)),
    async close() {
      await shop.close();
      await backend.remove();
      await Promise.all(nodes.map((each) => each.stop()));
      await anvil.stop();
      await node.stop();
    },
  };
}

/** The remaining due amount: a quote is exact as a JSON number with at most eight decimals. */
export function dueBaseUnits({ crypto, amount_crypto }: Pick<TransactionView, 'crypto' | 'amount_crypto'>): bigint {
  const { decimals, quoteDecimals } = ASSETS[crypto];
  return parseCoins(amount_crypto.toFixed(quoteDecimals), decimals);
}

// Helpers

/** The Litecoin address that pays the same output script. */
function litecoinAddressFor(crypto: CryptoSymbol, address: string): string {
  const script = scriptOfAddress(utxo(addressNetwork(ASSETS[crypto].chain, 'regtest')), address);
  const translated = script === null ? null : addressOfScript(utxo(LITECOIN), script);
  if (translated === null) throw new Error(`${address} is no ${crypto} address`);
  return translated;
}

function utxo(network: ReturnType<typeof addressNetwork>): UtxoNetwork {
  if (network.family !== 'utxo') throw new Error('this chain has no output scripts');
  return network;
}
