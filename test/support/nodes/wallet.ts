import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';

/** A merchant's wallet: one account of native segwit addresses (BIP84) on Litecoin regtest. */
export interface TestWallet {
  /** `vpub…` (SLIP-132), which a merchant gives to the service. */
  readonly extendedPublicKey: string;
  /** `vprv…`, which a merchant must keep secret. */
  readonly extendedPrivateKey: string;
  /**
   * The receiving address at an index, derived from the private key, without the service's code.
   */
  addressAt(index: number): string;
}

const ACCOUNT_PATH = "m/84'/1'/0'";
const VPUB_VPRV = { public: 0x045f1cf6, private: 0x045f18bc };
const TPUB_TPRV = { public: 0x043587cf, private: 0x04358394 };
/** Only the human-readable part of these parameters affects a segwit address. */
const LITECOIN_REGTEST = { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef };

/** Account key of another wallet (BIP44): the `tpub…` that wallets export for test networks. */
export function createTestAccountKey(name: string): string {
  return HDKey.fromMasterSeed(seedOf(name), TPUB_TPRV).derive("m/44'/1'/0'").publicExtendedKey;
}

/** The wallet derived from a name; the same name gives the same wallet. Its seed is not secret. */
export function createTestWallet(name: string): TestWallet {
  const account = HDKey.fromMasterSeed(seedOf(name), VPUB_VPRV).derive(ACCOUNT_PATH);
  return {
    extendedPublicKey: account.publicExtendedKey,
    extendedPrivateKey: account.privateExtendedKey,
    addressAt(index) {
      const { publicKey } = account.deriveChild(0).deriveChild(index);
      const { address } = publicKey === null ? {} : p2wpkh(publicKey, LITECOIN_REGTEST);
      if (address === undefined) throw new Error(`the wallet has no address at index ${index}`);
      return address;
    },
  };
}

// Helpers

function seedOf(name: string): Uint8Array {
  return sha512(new TextEncoder().encode(`a wallet for tests: ${name}`));
}
