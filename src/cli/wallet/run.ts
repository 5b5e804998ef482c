import { text } from 'node:stream/consumers';
import { ASSETS, type CryptoSymbol } from '../../../machines/index.ts';
import { findMerchantWallets, writeAudit } from '../../merchants/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { liftTimeouts } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import {
  type AddressPreview,
  advanceIndex,
  networkName,
  previewAddresses,
  type UnusedRun,
  unusedRuns,
} from '../../wallets/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult, tableText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { WalletValues } from './commands.ts';

/**
 * `quittance wallet status`: how many addresses were issued, and how many in a row have received
 * nothing.
 */
export async function walletStatus({ merchant, json }: WalletValues['status']): Promise<void> {
  const runs = await withDatabase(loadConfig(process.env), (db) =>
    unusedRuns(db, merchant === null ? {} : { merchantName: merchant }),
  );
  printResult(json, { wallets: runs.map(statusJson) }, () => statusText(runs, merchant));
}

/** `quittance wallet advance`: skips addresses, so that a restored wallet issues none twice. */
export async function advance({ merchant, crypto, by, json }: WalletValues['advance']): Promise<void> {
  const advanced = await withMerchant(merchant, (db, { id: merchantId }) =>
    changing(db, async (change) => {
      await liftTimeouts(change.trx);
      const wallets = await findMerchantWallets(change.trx, { merchantName: merchant, crypto });
      if (wallets.length === 0) {
        throw new TerminalError('WALLET_NOT_CONFIGURED', `The merchant "${merchant}" has no wallet for ${crypto}`);
      }
      const done: { network: string; next_index: number }[] = [];
      for (const { network, derivationKeyId } of wallets) {
        const nextIndex = await advanceIndex(change.trx, derivationKeyId, by);
        done.push({ network, next_index: nextIndex });
        const details = { network, count: by, lastSkippedIndex: nextIndex - 1 };
        const entry = { merchantId, what: 'wallet.addresses_skipped', subjectId: derivationKeyId, details } as const;
        await writeAudit(change, entry);
      }
      return done;
    }),
  );
  printResult(json, { wallets: advanced }, () =>
    advanced
      .map(({ network, next_index }) => `${network}: addresses below index ${next_index} are never issued again`)
      .join('\n'),
  );
}

/**
 * `quittance wallet preview`: the first addresses of a key. Stores nothing and contacts no node.
 */
export async function previewWallet(options: WalletValues['preview']): Promise<void> {
  const { crypto, type, count, network: networkKind } = options;
  const { chain } = ASSETS[crypto];
  const key = options.key === '-' ? (await text(process.stdin)).trim() : options.key;
  const preview = rejecting(options.key, () =>
    previewAddresses({ chain, networkKind, key, count, ...(type === null ? {} : { addressType: type }) }),
  );
  const network = networkName(chain, networkKind);
  printResult(options.json, previewJson(crypto, network, preview), () => previewText(crypto, network, preview));
}

// Helpers

function statusJson(run: UnusedRun) {
  return {
    merchant: run.merchantName,
    network: run.network,
    cryptos: run.cryptos,
    handed_out: run.allocated,
    highest_index: run.highestIndex,
    last_paid_index: run.lastPaidIndex,
    unused_run: run.run,
    warning: run.warning,
  };
}

const HEADINGS = ['MERCHANT', 'NETWORK', 'COINS', 'ALLOCATED', 'HIGHEST INDEX', 'LAST PAID INDEX', 'UNUSED IN A ROW'];

function statusText(runs: readonly UnusedRun[], merchant: string | null): string {
  if (runs.length === 0) {
    return merchant === null ? 'No merchant has a wallet.' : `There is no merchant "${merchant}" with a wallet.`;
  }
  const rows = runs.map((each) => [
    each.merchantName,
    each.network,
    each.cryptos.join(' '),
    String(each.allocated),
    String(each.highestIndex ?? '-'),
    String(each.lastPaidIndex ?? '-'),
    String(each.run),
  ]);
  const warnings = runs.flatMap(({ merchantName, network, warning }) =>
    warning === null ? [] : [`${merchantName}, ${network}: ${warning}`],
  );
  return [tableText(HEADINGS, rows), ...warnings].join('\n');
}

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

function previewJson(crypto: CryptoSymbol, network: string, preview: AddressPreview) {
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
