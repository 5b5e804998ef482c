import type { Outcome } from './play.ts';

const HEADINGS = ['Scenario', 'Status', 'Webhook', 'Signature', 'Due LTC', 'Paid LTC', 'Payments', ''];
const GAP = '  ';

/** The outcomes as text: a block of lines per scenario, one column per kind of fact. */
export function describeOutcomes(outcomes: readonly Outcome[]): string {
  const blocks = outcomes.map(linesOf);
  const widths = HEADINGS.map((heading, column) => {
    return Math.max(heading.length, ...blocks.flat().map((line) => line[column]?.length ?? 0));
  });
  const write = (line: readonly string[]) =>
    widths
      .map((width, column) => (line[column] ?? '').padEnd(width))
      .join(GAP)
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join(GAP);
  return [write(HEADINGS), ...blocks.flatMap((block) => [rule, ...block.map(write)]), rule].join('\n');
}

// Helpers

/** Statuses, webhooks and payments are columns; each list begins in the first line. */
function linesOf({ scenario, transaction, statuses, webhooks, differences }: Outcome): string[][] {
  const { amount_crypto: due, amount_paid: paid, payments } = transaction;
  const height = Math.max(1, statuses.length, webhooks.length, payments.length);
  return Array.from({ length: height }, (_, row) => {
    const webhook = webhooks[row];
    const payment = payments[row];
    const first = (text: string) => (row === 0 ? text : '');
    return [
      first(scenario.name),
      statuses[row] ?? '',
      webhook === undefined ? '' : `${webhook.sequence} ${webhook.event}`,
      webhook === undefined ? '' : webhook.isGenuine ? 'valid' : 'WRONG',
      first(String(due)),
      first(String(paid)),
      payment === undefined ? '' : `${payment.amount_crypto} ${payment.status}`,
      first(differences.length === 0 ? 'as agreed' : 'DIFFERS'),
    ];
  });
}
