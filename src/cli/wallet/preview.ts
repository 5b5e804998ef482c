import { ASSETS, type CryptoSymbol } from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { type AddressPreview, networkName, previewAddresses } from '../../wallets/index.ts';
import { printResult, tableText } from '../print.ts';
import { readStandardInput } from '../standard-input.ts';
import type { WalletValues } from './commands.ts';

/**
 * `quittance wallet preview`: the first addresses of a key. Stores nothing and contacts no node.
 */
export async function previewWallet(options: WalletValues['preview']): Promise<void> {
  const { crypto, type, count, network: networkKind } = options;
  const { chain } = ASSETS[crypto];
  const key = options.key === '-' ? (await readStandardInput()).trim() : options.key;
  const preview = rejecting(options.key, () =>
    previewAddresses({ chain, networkKind, key, count, ...(type === null ? {} : { addressType: type }) }),
  );
  const network = networkName(chain, networkKind);
  printResult(options.json, toJson(crypto, network, preview), () => previewText(crypto, network, preview));
}

// Helpers

/**
 * The wallets feature rejects private keys; here the key may also have been recorded on the way,
 * for example in the shell history.
 */
function rejecting<T>(given: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TerminalError) || error.code !== 'PRIVATE_KEY_REFUSED' || given === '-') throw error;
    throw new TerminalError(error.code, `${error.message} It may also be in your shell history.`);
  }
}

function toJson(crypto: CryptoSymbol, network: string, preview: AddressPreview) {
  return {
    crypto,
    network,
    key_form: preview.prefix,
    address_type: preview.addressType,
    warnings: preview.warnings,
    addresses: preview.addresses.map(({ index, derivationPath, address }) => {
      return { index, derivation_path: derivationPath, address };
    }),
    alternatives: preview.alternatives.map(({ addressType, index, derivationPath, address }) => {
      return { address_type: addressType, index, derivation_path: derivationPath, address };
    }),
  };
}

function previewText(crypto: CryptoSymbol, network: string, preview: AddressPreview): string {
  const { prefix, addressType, addresses, alternatives, warnings } = preview;
  const others = alternatives.map((each) => [`--type ${each.addressType}`, each.address]);
  return [
    `${crypto} on ${network}: ${prefix}, addresses of type ${addressType}. Compare them with the ones your wallet shows.`,
    tableText(
      ['PATH', 'ADDRESS'],
      addresses.map(({ derivationPath, address }) => [derivationPath, address]),
    ),
    ...warnings.map(({ message }) => `Please check: ${message}`),
    ...(others.length === 0
      ? []
      : ['With another type, the first address is:', tableText(['OPTION', 'ADDRESS'], others)]),
  ].join('\n');
}
