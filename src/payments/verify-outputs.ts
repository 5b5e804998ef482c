import { type Kysely, sql } from 'kysely';
import type { BusHandler } from '../bus/index.ts';
import type { Watcher } from '../chains/index.ts';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import type { VerifyMessage } from './queues.ts';

/** Asks a network's watcher how deep outputs are; its answer comes back as observations. Retried until the node answers. */
export function createVerifyHandler({ db, watcher }: { db: Kysely<Database>; watcher: Watcher }): BusHandler {
  return async ({ data }) => {
    const { transactionId, crypto, requiredConfirmations, outputs } = data as VerifyMessage;
    const watchKey = await findWatchKey(db, transactionId);
    await watcher.verify({
      outputs: outputs.map((output) => ({
        requiredConfirmations,
        output: {
          outputId: output.outputId,
          txid: output.txid,
          watchKey,
          asset: crypto,
          amountBaseUnits: BigInt(output.amountBaseUnits),
          firstSeenAt: output.firstSeenAt,
          spends: [],
        },
        reportedHeight: output.height,
      })),
    });
  };
}

// Helpers

async function findWatchKey(db: Kysely<Database>, transactionId: string): Promise<string> {
  const { rows } = await sql<{ watch_key: string }>`
    select watch_key from address where transaction_id = ${transactionId}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TerminalError('ADDRESS_UNKNOWN', 'The transaction has no address');
  return row.watch_key;
}
