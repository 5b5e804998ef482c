import type { Operations, Transaction, TransactionListEnvelope } from './operations.ts';

type Query = NonNullable<Operations['listTransactions']['query']>;
/** Filters; `limit` is the page size. Iteration begins with the newest. */
export type ListQuery = Omit<Query, 'offset'>;
export type TransactionPage = TransactionListEnvelope['data'];

/** Transactions, fetched on demand; every iteration starts from the first page. */
export interface TransactionList extends AsyncIterable<Transaction> {
  pages(): AsyncIterable<TransactionPage>;
}

/** Maximum page size of the service. */
const PAGE_SIZE = 100;

/**
 * Iterates over all pages. Transactions created after the iteration has begun are left out, and
 * none is returned twice. With a filter on a field that changes, like `status`, a transaction that
 * changes during the iteration may be left out.
 */
export function listPages(query: ListQuery, ask: (query: Query) => Promise<TransactionPage>): TransactionList {
  async function* pages(): AsyncGenerator<TransactionPage, void> {
    let requested: Query = { limit: PAGE_SIZE, ...query };
    let known = new Set<string>();
    for (;;) {
      const page = await ask(requested);
      const { offset, total } = page.pagination;
      const fresh = page.transactions.filter(({ transaction_id: id }) => !known.has(id));
      if (fresh.length > 0) yield { ...page, transactions: fresh };
      const next = offset + page.transactions.length;
      if (page.transactions.length === 0 || next >= total) return;
      known = new Set(page.transactions.map(({ transaction_id: id }) => id));
      requested = { created_to: justAfter(page.transactions), ...requested, offset: next };
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

/**
 * Upper bound for the following pages, by the service's clock, so that new transactions do not
 * shift the offsets.
 */
function justAfter([newest]: readonly Transaction[]): string {
  if (newest === undefined) throw new Error('an empty page is the last one');
  return new Date(Date.parse(newest.created_at) + 1).toISOString();
}
