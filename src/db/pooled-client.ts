import type { QueryResult } from 'pg';

/** Sends one statement; several are on their way at once and answered in order. */
export type SendStatement = (text: string, values: unknown[]) => Promise<QueryResult>;

export interface Timeouts {
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
}

/**
 * Statements for a pooler that gives a server connection per transaction and keeps no settings of a
 * session: every transaction begins by setting its limits, and a statement of its own becomes a
 * transaction, in one round trip.
 */
export function withLocalTimeouts(send: SendStatement, { statementMs, idleInTransactionMs }: Timeouts): SendStatement {
  const limits = `set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
  let isInTransaction = false;

  async function asTransaction(text: string, values: unknown[]): Promise<QueryResult> {
    const [begun, answered, ended] = await Promise.allSettled([
      send(`begin; ${limits}`, []),
      send(text, values),
      send('commit', []),
    ]);
    for (const each of [begun, answered, ended]) if (each.status === 'rejected') throw each.reason;
    if (answered.status === 'rejected') throw answered.reason;
    return answered.value;
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
