import { type Kysely, sql } from 'kysely';
import { UnreadableOutputsError, type VerifyRequest, type Watcher } from '../../chains/index.ts';
import type { BusHandler } from '../../platform/bus/index.ts';
import { classifyDatabaseError, createGrouped, type Database } from '../../platform/db/index.ts';
import { RetryableError, TerminalError } from '../../platform/errors.ts';
import { currentContext, type RequestContext, runInContext } from '../../platform/request-context.ts';
import type { VerifyMessage } from '../queues.ts';

/**
 * Requests the depth of outputs from a network's watcher, which responds with observations. Retried
 * until the node and the database, which the watcher writes to, respond. A watcher polls the whole
 * chain before it responds, so the next poll responds to all messages that arrive during one.
 */
export function createVerifyHandler({ db, watcher }: { db: Kysely<Database>; watcher: Watcher }): BusHandler {
  const verify = createGrouped(
    async (requested: readonly QueuedVerification[]) => {
      const ids = requested.map(({ message }) => message.transactionId);
      const watchKeys = await findWatchKeys(db, ids);
      const known = requested.filter(({ message }) => watchKeys.has(message.transactionId));
      const outputs = known.flatMap(({ message }) => toRequested(message, watchKeys.get(message.transactionId) ?? ''));
      if (known.length > 0)
        await runInContext(commonContext(known), () => watcher.verify({ outputs }).catch(rejectForNow));
      return requested.map((each) => known.includes(each));
    },
    { concernsAll },
  );

  return async ({ data }) => {
    const message = data as VerifyMessage;
    const isKnown = await verify({ message, context: currentContext() });
    if (!isKnown) throw new TerminalError('ADDRESS_UNKNOWN', 'The transaction has no address');
  };
}

/** The watch key of each payment's address, by transaction id. */
export async function findWatchKeys(
  db: Kysely<Database>,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; watch_key: string }>`
    select transaction.id, watch_key from transaction
    join address on address.network = transaction.network and address.address = transaction.deposit_address
    where transaction.id = any(${transactionIds}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.watch_key]));
}

// Helpers

interface QueuedVerification {
  readonly message: VerifyMessage;
  readonly context: RequestContext | null;
}

/** Node failures that only a person can fix; the verification stays pending until then. */
const NODE_UNUSABLE = new Set(['NODE_REFUSED_CREDENTIALS', 'WRONG_NETWORK', 'NODE_URL_INVALID']);
const UNUSABLE_RETRY_MS = 10_000;

function rejectForNow(error: unknown): never {
  if (!(error instanceof TerminalError && NODE_UNUSABLE.has(error.code))) throw error;
  throw new RetryableError(error.code, error.message, { cause: error, retryAfterMs: UNUSABLE_RETRY_MS });
}

/** An unavailable node, broker or database is tried once per group, not once per member. */
function concernsAll(error: unknown): boolean {
  const failure = classifyDatabaseError(error);
  if (failure !== 'other') return failure === 'unavailable';
  return error instanceof RetryableError && !(error instanceof UnreadableOutputsError);
}

/** Work for several messages runs outside their request contexts. */
function commonContext(requested: readonly QueuedVerification[]): RequestContext | null {
  const [only, another] = requested;
  return only === undefined || another !== undefined ? null : only.context;
}

function toRequested(
  { crypto, requiredConfirmations, outputs }: VerifyMessage,
  watchKey: string,
): VerifyRequest['outputs'] {
  return outputs.map((output) => ({
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
  }));
}
