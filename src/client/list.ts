import type { Operations, Transaction, TransactionListEnvelope } from './operations.ts';

type Query = NonNullable<Operations['listTransactions']['query']>;
/** Filters, and with `limit` the size of pages. A walk begins with the newest. */
export type ListQuery = Omit<Query, 'offset'>;
export type TransactionPage = TransactionListEnvelope['data'];

/** Transactions that are asked for as they are needed; every walk begins anew. */
export interface TransactionList extends AsyncIterable<Transaction> {
  pages(): AsyncIterable<TransactionPage>;
}

/** The most the service gives at once. */
const PAGE_SIZE = 100;

/**
 * Walks through all pages. What is created after the walk has begun is left out, and nothing comes twice. With a filter on what
 * changes, like `status`, a transaction that changes while you walk may be left out.
 */
export function listPages(query: ListQuery, ask: (query: Query) => Promise<TransactionPage>): TransactionList {
  async function* pages(): AsyncGenerator<TransactionPage, void> {
    let asked: Query = { limit: PAGE_SIZE, ...query };
    let known = new Set<string>();
    for (;;) {
      const page = await ask(asked);
      const { offset, total } = page.pagination;
      const fresh = page.transactions.filter(({ transaction_id: id }) => !known.has(id));
      if (fresh.length > 0) yield { ...page, transactions: fresh };
      const next = offset + page.transactions.length;
      if (page.transactions.length === 0 || next >= total) return;
      known = new Set(page.transactions.map(({ transaction_id: id }) => id));
      asked = { created_to: justAfter(page.transactions), ...asked, offset: next };
    }
  }

  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { transactions } of pages()) yield* transactions;
    },
  };
}

// Helpers

/** By the clock of the service: the newest of the first page and everything older stays where it is. */
function justAfter([newest]: readonly Transaction[]): string {
  if (newest === undefined) throw new Error('an empty page is the last one');
  return new Date(Date.parse(newest.created_at) + 1).toISOString();
}
