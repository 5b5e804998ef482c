import fc from 'fast-check';
import { getAddress, isAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { ASSETS, CRYPTO_SYMBOLS, formatCoins, isCryptoSymbol, parseCoins } from '../../machines/index.ts';
import { toChecksumAddress } from '../../src/platform/evm-address.ts';
import { NETWORK_KINDS } from '../../src/platform/network-kind.ts';
import { CHAIN_ADDRESSING, type EvmNetwork } from '../../src/wallets/address-formats.ts';
import { createDeriver } from '../../src/wallets/keys/derive.ts';
import { testWalletKey } from '../../src/wallets/keys/test-key.ts';
import { paymentUri } from '../../src/wallets/payment-uri.ts';
import { parseTransferUri } from '../support/nodes/parse-transfer-uri.ts';
import { assertProperty } from '../support/run/fast-check.ts';
import { loadVectors } from './support.ts';

interface Uris {
  readonly bip21: { readonly examples: readonly string[] };
  readonly eip681: { readonly examples: readonly string[] };
  readonly expected: readonly {
    readonly coin: string;
    readonly address: string;
    readonly amount?: string;
    readonly amountWei?: string;
    readonly amountBase?: string;
    readonly uri: string;
  }[];
}

const uris = loadVectors<Uris>('uris');
const { tokens } = loadVectors<{ tokens: { symbol: string; address: string }[] }>('tokens');
const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

describe('payment links', () => {
  it.each(uris.expected)('$coin is written as $uri', ({ coin, address, amount, amountWei, amountBase, uri }) => {
    if (!isCryptoSymbol(coin)) throw new Error(`the vectors name an unknown coin: ${coin}`);
    const asset = ASSETS[coin];
    const baseUnits = amountWei ?? amountBase;
    const amountBaseUnits = baseUnits === undefined ? parseCoins(amount ?? '', asset.decimals) : BigInt(baseUnits);
    const tokenContract = tokens.find((token) => token.symbol === coin)?.address ?? null;
    expect(paymentUri({ asset, networkKind: 'mainnet', address, amountBaseUnits, tokenContract })).toBe(uri);
  });

  it('reproduce the examples of BIP21', () => {
    const asset = ASSETS.BTC;
    const address = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
    const label = 'Luke-Jr';
    const common = { asset, networkKind: 'mainnet', address } as const;
    const message = 'Donation for project xyz';
    expect([
      paymentUri({ ...common, amountBaseUnits: null }),
      paymentUri({ ...common, amountBaseUnits: null, label }),
      paymentUri({ ...common, amountBaseUnits: 2_030_000_000n, label }),
      paymentUri({ ...common, amountBaseUnits: 5_000_000_000n, label, message }),
    ]).toEqual(uris.bip21.examples.slice(0, 4));
  });

  it('match the EIP-681 examples on Ethereum, with the network added', () => {
    const [transfer = '', value = ''] = uris.eip681.examples;
    const [, contract = '', payee = '', units = ''] =
      /^ethereum:(0x\w+)\/transfer\?address=(0x\w+)&uint256=(\d+)$/.exec(transfer) ?? [];
    const common = { networkKind: 'mainnet', amountBaseUnits: BigInt(units) } as const;
    const written = paymentUri({ ...common, asset: ASSETS.USDC, address: payee, tokenContract: contract });
    expect(written.replace('@1/', '/')).toBe(transfer);
    const [, account = '', amount = ''] = /^ethereum:(0x\w+)\?value=(.+)$/.exec(value) ?? [];
    const ether = paymentUri({ ...common, asset: ASSETS.ETH, address: account, amountBaseUnits: 2_014n * 10n ** 15n });
    expect(ether).toBe(`ethereum:${account}@1?value=${BigInt(Number(amount))}`);
  });

  it('of a token without a known contract are the bare address, without an amount that would mean ether', () => {
    const common = { asset: ASSETS.USDT, networkKind: 'regtest', address: ADDRESS, amountBaseUnits: 5n } as const;
    expect(paymentUri(common)).toBe(`ethereum:${ADDRESS}@31337`);
    expect(paymentUri({ ...common, tokenContract: null })).toBe(`ethereum:${ADDRESS}@31337`);
  });

  it('without an amount leave it to the customer', () => {
    const common = { networkKind: 'mainnet', address: ADDRESS, amountBaseUnits: null } as const;
    expect(paymentUri({ ...common, asset: ASSETS.ETH })).toBe(`ethereum:${ADDRESS}@1`);
    const token = paymentUri({ ...common, asset: ASSETS.USDT, tokenContract: USDT });
    expect(token).toBe(`ethereum:${USDT}@1/transfer?address=${ADDRESS}`);
  });

  it('of test payments never name the mainnet of Ethereum', () => {
    const { address } = createDeriver(testWalletKey('ethereum')).addressAt(0);
    const { networkKind } = testWalletKey('ethereum');
    expect(paymentUri({ asset: ASSETS.ETH, networkKind, address, amountBaseUnits: 1n })).toContain('@31337?');
    const sepolia = { asset: ASSETS.ETH, networkKind: 'testnet', address, amountBaseUnits: 1n } as const;
    expect(paymentUri(sepolia)).toContain('@11155111?');
    expect(paymentUri({ ...sepolia, chainId: 17_000 })).toContain('@17000?');
  });

  it('of tokens decode to contract, chain, address and amount, for any amount and decimals', () => {
    const anyAddress = fc.stringMatching(/^0x[0-9a-f]{40}$/).map(toChecksumAddress);
    const anyAmount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const anyKind = fc.constantFrom(...NETWORK_KINDS);
    assertProperty(
      fc.property(
        fc.nat({ max: 36 }),
        anyAmount,
        anyAddress,
        anyAddress,
        anyKind,
        (decimals, amountBaseUnits, contract, address, networkKind) => {
          const asset = { chain: 'ethereum', type: 'token', decimals } as const;
          const uri = paymentUri({ asset, networkKind, address, amountBaseUnits, tokenContract: contract });
          const { baseUnits, ...transfer } = parseTransferUri(uri);
          const { chainId } = CHAIN_ADDRESSING.ethereum.networks[networkKind] as EvmNetwork;
          expect(transfer).toEqual({ contract, chainId, address });
          expect(formatCoins(baseUnits, decimals)).toBe(formatCoins(amountBaseUnits, decimals));
        },
      ),
    );
  });

  it('carry every amount exactly, in plain decimals, and every label safely', () => {
    const anyLabel = fc.string({ unit: 'grapheme', maxLength: 40 });
    const anySymbol = fc.constantFrom(...CRYPTO_SYMBOLS);
    fc.assert(
      fc.property(anySymbol, fc.bigInt({ min: 0n, max: 10n ** 30n }), anyLabel, (symbol, amountBaseUnits, label) => {
        const asset = ASSETS[symbol];
        const common = { asset, networkKind: 'mainnet', address: 'address', amountBaseUnits, label } as const;
        const url = new URL(paymentUri({ ...common, tokenContract: USDT }));
        if (asset.chain === 'ethereum') {
          expect(url.searchParams.get(asset.type === 'coin' ? 'value' : 'uint256')).toBe(amountBaseUnits.toString());
        } else {
          expect(parseCoins(url.searchParams.get('amount') ?? '', asset.decimals)).toBe(amountBaseUnits);
          expect(url.searchParams.get('label')).toBe(label);
          expect([...url.searchParams.keys()]).toEqual(['amount', 'label']);
        }
      }),
    );
  });
});

describe('EIP-55 vectors', () => {
  const vectors = loadVectors<{ valid: Record<string, string[]>; invalidChecksum: string[] }>('eip55');

  it('match the library that formats our Ethereum addresses', () => {
    for (const address of Object.values(vectors.valid).flat()) {
      expect(getAddress(`0x${address.slice(2).toLowerCase()}`)).toBe(address);
    }
    for (const address of vectors.invalidChecksum) expect(isAddress(address)).toBe(false);
  });

  it('match derived addresses: their capitals are the checksum of their watch key', () => {
    for (let index = 0; index < 20; index += 1) {
      const { address, watchKey } = createDeriver(testWalletKey('ethereum')).addressAt(index);
      expect(getAddress(`0x${watchKey.slice(2)}`)).toBe(address);
    }
  });
});
