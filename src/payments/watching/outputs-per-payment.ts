import { type Kysely, sql } from 'kysely';
import type { ChainEvent, Presence } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { PaymentOutput } from './destinations.ts';

/**
 * Outputs of each size class that a payment counts at a time. Classes are fractions of the amount
 * due: below a thousandth, below a hundredth, and larger. An output of at least half of what is
 * still missing is in the largest class, so dust never keeps out a larger coin. Mined outputs have
 * separate limits: an unmined one costs its sender nothing.
 */
const OUTPUTS_PER_SIZE = 100;
const SIZES = [1_000n, 100n] as const;
const LARGEST = SIZES.length;

export interface OutputLimit {
  /** Counts an output; false when the limit is reached. Call in order of arrival. */
  admit(output: PaymentOutput): boolean;
  /** Whether it was recorded as one too many before. */
  wasRejected(output: PaymentOutput): boolean;
}

/**
 * Decides which of these outputs, all unknown to their payments, fit in. Outputs with a pending
 * observation count as the payment's own, and so do `sent`, which the same call of the sink
 * sends to payments. A rejected output stays out until it is mined, and for good once a user has
 * settled it.
 */
export async function readOutputLimits(
  db: Kysely<Database>,
  requested: readonly PaymentOutput[],
  sent: readonly PaymentOutput[],
): Promise<OutputLimit> {
  if (requested.length === 0) return { admit: () => true, wasRejected: () => false };
  const ids = [...new Set(requested.map(({ transactionId }) => transactionId))];
  const requestedIds = requested.map(({ outputId }) => outputId);
  // One statement, so that an output processed concurrently is found either pending or in its
  // payment.
  const { rows } = await sql<KnownOutputsRow>`
    select transaction.id as transaction_id, transaction.due_base_units,
      (
        select jsonb_agg(jsonb_build_array(output_id, amount_base_units::text, presence)) from payment
        where payment.transaction_id = transaction.id
      ) as known,
      (
        select jsonb_agg(jsonb_build_array(topic, data::jsonb -> 'event' -> 'amountBaseUnits', data::jsonb -> 'event' ->> 'type'))
        from pending_observation
        where actor_id = transaction.id and jsonb_exists(data::jsonb -> 'event', 'amountBaseUnits')
      ) as under_way,
      (
        select jsonb_object_agg(output_id, settled_at is not null) from unassigned_payment
        where unassigned_payment.transaction_id = transaction.id and output_id = any(${requestedIds}::text[])
          and reason = 'too_many_outputs'
      ) as rejected
    from transaction where transaction.id = any(${ids}::text[])`.execute(db);
  const limits = new Map(rows.map((row) => [row.transaction_id, openLimit(row, { requested, sent })]));
  return {
    admit: (output) => limits.get(output.transactionId)?.admit(output) ?? true,
    wasRejected: (output) => limits.get(output.transactionId)?.wasRejected(output) ?? false,
  };
}

// Helpers

interface KnownOutputsRow {
  transaction_id: string;
  due_base_units: bigint;
  /** Id, amount and `Presence` of the payment's known outputs. */
  known: [outputId: string, amount: string, presence: Presence][] | null;
  /** Id, amount and type of the pending observations. */
  under_way: [outputId: string, amount: string, type: ChainEvent['type']][] | null;
  /** Rejected ones among the requested outputs, by id: whether a user has settled them. */
  rejected: Record<string, boolean> | null;
}

interface CountedOutput {
  readonly amount: bigint;
  readonly presence: Presence;
}

const PRESENCE: { readonly [T in ChainEvent['type']]?: Presence } = {
  'chain.output_mined': 'block',
  'chain.output_confirmed': 'block',
  'chain.output_dropped': 'gone',
};

interface Call {
  readonly requested: readonly PaymentOutput[];
  readonly sent: readonly PaymentOutput[];
}

function openLimit(row: KnownOutputsRow, { requested, sent }: Call): OutputLimit {
  const taken = new Map<string, CountedOutput>();
  for (const [id, amount, presence] of row.known ?? []) taken.set(id, { amount: BigInt(amount), presence });
  for (const [id, amount, type] of row.under_way ?? []) {
    taken.set(id, { amount: BigInt(amount), presence: PRESENCE[type] ?? 'mempool' });
  }
  for (const output of [...sent, ...requested.filter(({ outputId }) => taken.has(outputId))]) {
    const { amountBaseUnits: amount, presence } = output;
    if (output.transactionId === row.transaction_id) taken.set(output.outputId, { amount, presence });
  }
  const sizeOf = (amount: bigint) => SIZES.filter((parts) => amount * parts >= row.due_base_units).length;
  const settled = row.rejected ?? {};

  return {
    wasRejected: ({ outputId }) => outputId in settled,
    admit({ outputId, amountBaseUnits: amount, presence }) {
      if (taken.has(outputId)) return true;
      const isMined = presence === 'block';
      if (settled[outputId] === true || (outputId in settled && !isMined)) return false;
      const competing = [...taken.values()].filter(
        (each) => each.presence === 'block' || !(isMined || each.presence === 'gone'),
      );
      const missing = competing.reduce((rest, each) => rest - each.amount, row.due_base_units);
      const size = missing > 0n && amount * 2n >= missing ? LARGEST : sizeOf(amount);
      const alike = competing.filter((each) => sizeOf(each.amount) === size && (each.presence === 'block') === isMined);
      if (alike.length >= OUTPUTS_PER_SIZE || taken.size >= maxOutputs(isMined, size)) return false;
      taken.set(outputId, { amount, presence });
      return true;
    },
  };
}

/**
 * Outputs that a payment accepts in total, including gone ones. Each event folds all of them, so
 * without a limit every later event of the batch, which all payments share, would become slower.
 * However often outputs are replaced before they are mined, 200 slots are left for mined ones, and
 * the last hundreds of both are for larger ones.
 */
function maxOutputs(isMined: boolean, size: number): number {
  return OUTPUTS_PER_SIZE * (2 + (isMined ? 2 : 0) + size);
}
