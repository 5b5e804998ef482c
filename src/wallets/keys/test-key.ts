import { type Chain, familyOf } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { CHAIN_ADDRESSING } from '../address-formats.ts';
import type { WalletKey } from './derive.ts';
import type { ExtendedKey } from './extended-key.ts';
import { acceptedTestPrefixes } from './key-versions.ts';

/**
 * The wallets of simulated test payments. Their private keys are not needed and are public by
 * design: the seed is published here.
 *
 * The BIP32 master seed is SHA-512 of `TEST_SEED_SENTENCE` (UTF-8); the account paths are
 * `TEST_ACCOUNT_PATHS`, all under coin type 1, which SLIP-44 reserves for test networks.
 *
 * Bitcoin and Litecoin use regtest addresses (bcrt1…, rltc1…), Dogecoin and Dash those of test
 * networks (m… or n…, y…); no mainnet wallet accepts them. Ethereum addresses are the same on all
 * networks, so the address cannot prevent a payment with real ether. Payment links therefore carry
 * the chain id of a local development network (31337), which mainnet wallets reject, and pages must
 * say that it is a test.
 */
export const TEST_SEED_SENTENCE = 'Quittance test mode: everyone knows this seed. Never send real money to it.';

export const TEST_ACCOUNT_PATHS: { readonly [C in Chain]: string } = {
  bitcoin: "m/84'/1'/0'",
  litecoin: "m/84'/1'/1'",
  dogecoin: "m/44'/1'/2'",
  dash: "m/44'/1'/3'",
  ethereum: "m/44'/1'/4'",
};

const TEST_WALLETS: { readonly [C in Chain]: WalletKey } = {
  bitcoin: {
    chain: 'bitcoin',
    networkKind: 'regtest',
    addressType: 'p2wpkh',
    key: 'vpub5ZQnAaEAtM1M36EEtMiZ7DVT5HxoVYqrriqPJdmuUZKfZLcgbVMw7G8DJwZgGU3syTJqMnMYmbP8hT9AZL2UgzpdSuWye4gHuJ1bsfQ37H3',
  },
  litecoin: {
    chain: 'litecoin',
    networkKind: 'regtest',
    addressType: 'p2wpkh',
    key: 'vpub5ZQnAaEAtM1M66B6CHkH54vvWNELgphFYokAxToZfTTcAwvZbV9pazTbgK5cJRohpuzDumVRbrjgCG3njHBs4b87MKrvfAD5Uek8oUvzthw',
  },
  dogecoin: {
    chain: 'dogecoin',
    networkKind: 'testnet',
    addressType: 'p2pkh',
    key: 'tpubDD7uWwiwxiXPVARfdqzLUwtjKi2fmk3KQ4xLtVu1A1pENmtRypzUVeLKBi75A3tm3aZmd2DHVqwyhsSGaECuqRnXxXUUZZAYkPQ647Jry2F',
  },
  dash: {
    chain: 'dash',
    networkKind: 'testnet',
    addressType: 'p2pkh',
    key: 'tpubDD7uWwiwxiXPWee8rWyTpob6H9yDAC2Qjb8aXhsvcv7UQuphSSDBhYmBFtiGaWyDL6UThXgvwKucSPbiKZe9jM9ahivsi3iCKZbHSdDJEmU',
  },
  ethereum: {
    chain: 'ethereum',
    networkKind: 'regtest',
    addressType: 'evm',
    key: 'tpubDD7uWwiwxiXPa4t1vqrVd69MvTAfRh447bSCCZxdbCH1mDEVih3HqV5G1hwNWBTt6nxYBc4qCgbNyQ2WCeaHTTopQGcwNRsDaVkCBTgvvQD',
  },
};

/** The wallet of a chain's simulated payments. Its private keys are public. */
export function testWalletKey(chain: Chain): WalletKey {
  return TEST_WALLETS[chain];
}

/**
 * Rejects a mainnet wallet's key for test payments with a `TerminalError` `INVALID_EXTENDED_KEY`.
 * Accepts any Ethereum key, because Ethereum wallets export one form for all networks.
 */
export function requireTestForm({ chain, prefix }: Pick<ExtendedKey, 'chain' | 'prefix'>): void {
  const accepted = acceptedTestPrefixes(chain);
  if (familyOf(chain) === 'evm' || accepted.includes(prefix)) return;
  throw new TerminalError(
    'INVALID_EXTENDED_KEY',
    `A ${prefix} is a mainnet key, and test payments never use a live wallet. ` +
      `Test payments in ${CHAIN_ADDRESSING[chain].name} accept: ${accepted.join(', ')}.`,
  );
}
