import type { Chain } from '../../../machines/index.ts';

/**
 * Version bytes of serialised extended keys: BIP32, the SLIP-132 registry, and those that Dogecoin
 * and Dash wallets use in addition. They determine the four-letter prefix of a key.
 */
export interface KeyVersion {
  readonly prefix: string;
  readonly viewVersion: number;
  readonly privatePrefix: string;
  readonly privateVersion: number;
  /** The address type of wallets that export this form; multisig addresses need further keys. */
  readonly meaning: 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'multisig';
  readonly form: 'mainnet' | 'test';
  /** Chains whose wallets export this form. */
  readonly chains: readonly Chain[];
}

const ALL: readonly Chain[] = ['bitcoin', 'litecoin', 'dogecoin', 'dash', 'ethereum'];
const SEGWIT: readonly Chain[] = ['bitcoin', 'litecoin'];

export const KEY_VERSIONS: readonly KeyVersion[] = [
  version('xpub', 0x0488b21e, 'xprv', 0x0488ade4, 'p2pkh', 'mainnet', ALL),
  version('ypub', 0x049d7cb2, 'yprv', 0x049d7878, 'p2sh-p2wpkh', 'mainnet', SEGWIT),
  version('zpub', 0x04b24746, 'zprv', 0x04b2430c, 'p2wpkh', 'mainnet', SEGWIT),
  version('Ypub', 0x0295b43f, 'Yprv', 0x0295b005, 'multisig', 'mainnet', SEGWIT),
  version('Zpub', 0x02aa7ed3, 'Zprv', 0x02aa7a99, 'multisig', 'mainnet', SEGWIT),
  version('tpub', 0x043587cf, 'tprv', 0x04358394, 'p2pkh', 'test', ALL),
  version('upub', 0x044a5262, 'uprv', 0x044a4e28, 'p2sh-p2wpkh', 'test', SEGWIT),
  version('vpub', 0x045f1cf6, 'vprv', 0x045f18bc, 'p2wpkh', 'test', SEGWIT),
  version('Upub', 0x024289ef, 'Uprv', 0x024285b5, 'multisig', 'test', SEGWIT),
  version('Vpub', 0x02575483, 'Vprv', 0x02575048, 'multisig', 'test', SEGWIT),
  version('Ltub', 0x019da462, 'Ltpv', 0x019d9cfe, 'p2pkh', 'mainnet', ['litecoin']),
  version('Mtub', 0x01b26ef6, 'Mtpv', 0x01b26792, 'p2sh-p2wpkh', 'mainnet', ['litecoin']),
  version('ttub', 0x0436f6e1, 'ttpv', 0x0436ef7d, 'p2pkh', 'test', ['litecoin']),
  version('dgub', 0x02facafd, 'dgpv', 0x02fac398, 'p2pkh', 'mainnet', ['dogecoin']),
  version('tgub', 0x0432a9a8, 'tgpv', 0x0432a243, 'p2pkh', 'test', ['dogecoin']),
  version('drkp', 0x02fe52cc, 'drkv', 0x02fe52f8, 'p2pkh', 'mainnet', ['dash']),
];

/** The row whose public form has these version bytes. */
export function findViewVersion(bytes: number): KeyVersion | undefined {
  return KEY_VERSIONS.find((row) => row.viewVersion === bytes);
}

/** The public prefixes of a chain's wallets on a network, for messages ("xpub, ypub, zpub"). */
export function acceptedPrefixes(chain: Chain, allowTestForms: boolean): string[] {
  return KEY_VERSIONS.filter(
    (row) => row.chains.includes(chain) && row.meaning !== 'multisig' && (allowTestForms || row.form === 'mainnet'),
  ).map((row) => row.prefix);
}

/** The public prefixes that only test network wallets of a chain export. */
export function acceptedTestPrefixes(chain: Chain): string[] {
  return KEY_VERSIONS.filter(
    (row) => row.chains.includes(chain) && row.meaning !== 'multisig' && row.form === 'test',
  ).map((row) => row.prefix);
}

function version(
  prefix: string,
  viewVersion: number,
  privatePrefix: string,
  privateVersion: number,
  meaning: KeyVersion['meaning'],
  form: KeyVersion['form'],
  chains: readonly Chain[],
): KeyVersion {
  return { prefix, viewVersion, privatePrefix, privateVersion, meaning, form, chains };
}
