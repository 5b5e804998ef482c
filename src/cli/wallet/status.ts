import { loadConfig } from '../../platform/config/index.ts';
import { type UnusedRun, unusedRuns } from '../../wallets/index.ts';
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
  printResult(json, { wallets: runs.map(toJson) }, () => statusText(runs, merchant));
}

// Helpers

function toJson(run: UnusedRun) {
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
