import type { QueryResult } from 'pg';

/** Sends one statement. Statements are pipelined; responses arrive in order. */
export type SendStatement = (text: string, values: unknown[]) => Promise<QueryResult>;

export interface Timeouts {
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
}

/**
 * Adapts statements to a pooler in transaction mode, which keeps no session settings: every
 * transaction begins by setting its timeouts, and a single statement becomes a transaction, in one
 * round trip.
 */
export function withLocalTimeouts(send: SendStatement, { statementMs, idleInTransactionMs }: Timeouts): SendStatement {
  const limits = `set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
  let isInTransaction = false;

  async function asTransaction(text: string, values: unknown[]): Promise<QueryResult> {
    const [begun, responded, ended] = await Promise.allSettled([
      send(`begin; ${limits}`, []),
      send(text, values),
      send('commit', []),
    ]);
    for (const each of [begun, responded, ended]) if (each.status === 'rejected') throw each.reason;
    if (responded.status === 'rejected') throw responded.reason;
    return responded.value;
  }

  return async (text, values) => {
    if (BEGINS.test(text)) {
      isInTransaction = true;
      return send(`${text}; ${limits}`, []);
    }
    if (ENDS.test(text)) isInTransaction = false;
    else if (!isInTransaction) return asTransaction(text, values);
    return send(text, values);
  };
}

// Helpers

const BEGINS = /^\s*(begin|start transaction)\b/i;
const ENDS = /^\s*(commit|rollback)\b(?!\s+(to|prepared))/i;
