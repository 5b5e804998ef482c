import type { Kysely } from 'kysely';
import type { TransactionContext } from '../../../machines/index.ts';
import type { SimulatedChain } from '../../chains/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { findActorRow } from '../../platform/engine/index.ts';
import { heightGate } from '../watching/gate-names.ts';
import { invalidState } from './simulate-amount.ts';

export interface LoadedTransaction {
  readonly context: TransactionContext;
  readonly state: string;
  readonly clockOffsetMs: number;
  readonly chain: SimulatedChain;
}

/**
 * A transaction with its simulated chain. Throws `INVALID_STATE` once the archive has deleted its
 * actor: a long finished payment, of which only the record is left.
 */
export async function loadTransaction(db: Kysely<Database>, transactionId: string): Promise<LoadedTransaction> {
  const actor = await findActorRow(db, transactionId);
  if (actor === null) throw invalidState('the payment ended long ago, and only its record remains');
  const context = actor.snapshot.context as TransactionContext;
  const mark = await db
    .selectFrom('watermark')
    .select('height')
    .where('gate', '=', heightGate(context.network, transactionId))
    .executeTakeFirst();
  return {
    context,
    state: actor.state,
    clockOffsetMs: actor.clock_offset_ms,
    chain: {
      network: context.network,
      watchKey: context.depositAddress,
      asset: context.crypto,
      height: mark?.height ?? FIRST_HEIGHT,
      outputs: context.outputs,
    },
  };
}

/** Start height of every simulated chain, so that the first payment is not in block 0. */
const FIRST_HEIGHT = 100;
