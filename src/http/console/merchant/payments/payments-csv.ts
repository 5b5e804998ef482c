import type { ExportBatch, ExportedPayment } from '../../../../payments/index.ts';
import { isoTime } from '../../../../platform/iso-time.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv.ts';

/**
 * Payments as a CSV file for accounting, streamed as they are read. Times are ISO 8601 in UTC,
 * amounts exact decimals with a point. If there are more payments than a file may contain, the last
 * line says so.
 */
export async function* paymentsCsv(batches: AsyncIterable<ExportBatch>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(([name]) => name));
  let rows = 0;
  for await (const { payments, isCut } of batches) {
    rows += payments.length;
    const lines = payments.map((payment) => csvLine(COLUMNS.map(([, cell]) => cell(payment))));
    if (isCut) lines.push(csvLine(COLUMNS.map((_, index) => (index === 0 ? cutNotice(rows) : ''))));
    if (lines.length > 0) yield lines.join('');
  }
}

// Helpers

type Column = readonly [name: string, cell: (payment: ExportedPayment) => string];

const COLUMNS: readonly Column[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => isoTime(createdAt)],
  ['completed_at', ({ completedAt }) => (completedAt === null ? '' : isoTime(completedAt))],
  ['status', ({ status }) => status],
  ['exception', ({ exception }) => exception ?? ''],
  ['type', ({ type }) => type],
  ['order_id', ({ orderId }) => orderId ?? ''],
  ['customer_email', ({ customerEmail }) => customerEmail ?? ''],
  ['crypto', ({ crypto }) => crypto],
  ['network', ({ network }) => network],
  ['amount_due', ({ amountDue }) => amountDue],
  ['amount_paid', ({ amountPaid }) => amountPaid],
  ['amount_fiat', ({ amountFiat }) => amountFiat],
  ['currency_fiat', ({ currencyFiat }) => currencyFiat],
  ['exchange_rate', ({ exchangeRate }) => exchangeRate],
  ['fiat_to_usd_rate', ({ fiatToUsdRate }) => fiatToUsdRate],
  ['paid_fiat', ({ paidFiat }) => paidFiat],
  ['amount_usd', ({ amountUsd }) => amountUsd],
  ['deposit_address', ({ depositAddress }) => depositAddress],
  ['txids', ({ txids }) => txids.join(' ')],
  ['confirmations_required', ({ confirmationsRequired }) => String(confirmationsRequired)],
  ['loss', ({ loss }) => loss ?? ''],
];

function cutNotice(rows: number): string {
  return `A file holds at most ${rows} payments: choose an earlier last day and export again`;
}
