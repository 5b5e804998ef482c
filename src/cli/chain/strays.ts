import { ASSETS, formatCoins, isCryptoSymbol } from '../../../machines/index.ts';
import { listStrayPayments, type StrayPayment } from '../../payments/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { printResult, tableText, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ChainValues } from './commands.ts';

/** For more rows than this, use SQL. The newest are shown. */
const MAX_ROWS = 1_000;

/** `quittance chain strays`: deposits that are assigned to no running payment, newest first. */
export async function chainStrays({ network, json }: ChainValues['strays']): Promise<void> {
  const strays = await withDatabase(loadConfig(process.env), (db) =>
    listStrayPayments(db, { ...(network === null ? {} : { network }), limit: MAX_ROWS }),
  );
  printResult(json, { stray_payments: strays.map(toJson) }, () => straysText(strays));
}

// Helpers

function toJson(stray: StrayPayment) {
  return {
    network: stray.network,
    asset: stray.asset,
    amount_base_units: stray.amountBaseUnits,
    amount: coins(stray),
    address: stray.address,
    reason: stray.reason,
    transaction_id: stray.transactionId,
    output_id: stray.outputId,
    txid: stray.txid,
    status: stray.status,
    height: stray.height,
    first_seen_at: timeText(stray.firstSeenAt),
  };
}

const HEADINGS = ['FIRST SEEN', 'NETWORK', 'AMOUNT', 'CURRENT_STATE', 'REASON', 'TRANSACTION', 'ADDRESS', 'OUTPUT'];

function straysText(strays: readonly StrayPayment[]): string {
  if (strays.length === 0) return 'No coins arrived that belong to no running payment.';
  const rows = strays.map((each) => [
    timeText(each.firstSeenAt) ?? '-',
    each.network,
    `${coins(each)} ${each.asset}`,
    each.height === null || each.status === 'gone' ? each.status : `${each.status} ${each.height}`,
    each.reason.replaceAll('_', ' '),
    each.transactionId ?? '-',
    each.address,
    each.outputId,
  ]);
  return tableText(HEADINGS, rows);
}

function coins({ asset, amountBaseUnits }: StrayPayment): string {
  return isCryptoSymbol(asset) ? formatCoins(amountBaseUnits, ASSETS[asset].decimals) : `${amountBaseUnits} base units`;
}
