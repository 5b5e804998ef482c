import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { createWalletFinder } from '../../src/merchants/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import type { EventCommand, StartCommand } from '../../src/platform/engine/index.ts';
import { newId } from '../../src/platform/ids.ts';

/** Whole payments as commands: create, seen in the mempool, confirmed in a block. */
export interface PaymentCommands {
  readonly start: StartCommand;
  readonly events: readonly [EventCommand, EventCommand];
}

export const EVENTS_PER_PAYMENT = 3;

export interface Workload {
  /** The commands of another payment, with its own transaction, output and block. */
  next(): PaymentCommands;
  /** Provides so many free addresses, so that no derivation is measured. */
  stock(payments: number): Promise<void>;
}

export async function createWorkload(db: Kysely<Database>): Promise<Workload> {
  const network = 'simulated-litecoin';
  const { derivationKeyId } = await createWalletFinder({ db }).find({
    merchantId: null,
    mode: 'test',
    crypto: 'LTC',
    network,
  });
  const next = (): PaymentCommands => {
    const transactionId = newId('txn');
    const txid = randomBytes(32).toString('hex');
    const output = { outputId: `${txid}:0`, txid, amountBaseUnits: DUE_BASE_UNITS, firstSeenAt: Date.now() };
    const block = { height: 101, blockHash: txid };
    return {
      start: {
        kind: 'transaction',
        actorId: transactionId,
        startKey: null,
        input: { ...TERMS, transactionId, network },
        attachment: { ...ATTACHMENT, derivationKeyId },
      },
      events: [
        {
          actorId: transactionId,
          eventId: `chain:${output.outputId}:1`,
          event: { type: 'chain.output_seen', order: 1, ...output },
        },
        {
          actorId: transactionId,
          eventId: `chain:${output.outputId}:2`,
          event: { type: 'chain.output_confirmed', order: 2, ...output, ...block },
        },
      ],
    };
  };
  return { next, stock: (payments) => stockAddresses(db, derivationKeyId, payments) };
}

// Helpers

const DUE_BASE_UNITS = '31250000';

const TERMS = {
  merchantId: 'mer_bench',
  mode: 'test',
  type: 'basic',
  crypto: 'LTC',
  dueBaseUnits: DUE_BASE_UNITS,
  toleranceBaseUnits: '156250',
  confirmationsRequired: 3,
  confirmationDeadlineMs: 86_400_000,
  windowMs: 1_800_000,
  quote: {
    amountFiat: '25',
    currencyFiat: 'USD',
    amountUsd: '25',
    amountCrypto: '0.3125',
    fiatToUsdRate: '1',
    exchangeRate: '80',
  },
} as const;

const ATTACHMENT = {
  orderId: null,
  customerEmail: null,
  items: null,
  metadata: { cart: 'bench' },
  successUrl: null,
  cancelUrl: null,
  idempotencyKey: null,
  requestHash: null,
  rateSources: ['sample'],
  ratesAt: 0,
} as const;

/**
 * Inserts free addresses of a wallet's key until `count` are free. They are invented: a
 * service derives them in a separate thread ahead of demand, which `bench:derive` measures.
 */
async function stockAddresses(db: Kysely<Database>, derivationKeyId: string, count: number): Promise<void> {
  await sql`
    with key as (
      select id, network, next_index, ${count} - (
        select count(*) from free_address where derivation_key_id = ${derivationKeyId}
      ) as missing
      from derivation_key where id = ${derivationKeyId}
    ), stocked as (
      insert into address (network, address, watch_key, derivation_key_id, derivation_index)
      select network, 'bench1q' || md5(index::text), md5(index::text), id, index
      from key cross join lateral generate_series(next_index, next_index + missing - 1) as index
      returning derivation_key_id, derivation_index, network
    ), free as (
      insert into free_address (derivation_key_id, awaits_vetting, derivation_index, network)
      select derivation_key_id, false, derivation_index, network from stocked
    )
    update derivation_key set next_index = derivation_key.next_index + greatest(0, key.missing)
    from key where derivation_key.id = key.id`.execute(db);
}
