import { ASSETS, formatCoins, isCryptoSymbol } from '../../../machines/index.ts';
import { listUnassignedPayments, type UnassignedPayment } from '../../payments/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { printResult, tableText, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ChainValues } from './commands.ts';

/** For more rows than this, use SQL. The newest are shown. */
const MAX_ROWS = 1_000;

/** `quittance chain strays`: deposits that are assigned to no running payment, newest first. */
export async function listUnassigned({ network, json }: ChainValues['unassigned']): Promise<void> {
  const unassigned = await withDatabase(loadConfig(process.env), (db) =>
    listUnassignedPayments(db, { ...(network === null ? {} : { network }), limit: MAX_ROWS }),
  );
  printResult(json, { stray_payments: unassigned.map(toJson) }, () => unassignedText(unassigned));
}

// Helpers

function toJson(payment: UnassignedPayment) {
  return {
    network: payment.network,
    asset: payment.asset,
    amount_base_units: payment.amountBaseUnits,
    amount: coins(payment),
    address: payment.address,
    reason: payment.reason,
    transaction_id: payment.transactionId,
    output_id: payment.outputId,
    txid: payment.txid,
    status: payment.status,
    height: payment.height,
    first_seen_at: timeText(payment.firstSeenAt),
  };
}

const HEADINGS = ['FIRST SEEN', 'NETWORK', 'AMOUNT', 'STATUS', 'REASON', 'TRANSACTION', 'ADDRESS', 'OUTPUT'];

function unassignedText(unassigned: readonly UnassignedPayment[]): string {
  if (unassigned.length === 0) return 'There are no unassigned deposits.';
  const rows = unassigned.map((each) => [
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

function coins({ asset, amountBaseUnits }: UnassignedPayment): string {
  return isCryptoSymbol(asset) ? formatCoins(amountBaseUnits, ASSETS[asset].decimals) : `${amountBaseUnits} base units`;
}
