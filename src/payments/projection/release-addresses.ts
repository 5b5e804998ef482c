import { sql, type Transaction } from 'kysely';
import { type Database, unnestRows } from '../../platform/db/index.ts';
import { deleteWatermarks } from '../../platform/engine/index.ts';
import { simulatedGate } from '../watching/network-gates.ts';
import type { TransactionStep } from './transaction-step.ts';

/**
 * Monitoring has ended: releases the address, which is never reused but no longer waited for, and
 * deletes the chain simulated for it.
 */
export async function releaseAddresses(trx: Transaction<Database>, steps: readonly TransactionStep[]): Promise<void> {
  const released = steps.filter(({ effects }) => effects.some((effect) => effect.type === 'stopWatching'));
  if (released.length === 0) return;
  const mine = released.map(({ context: { network, depositAddress: address } }) => ({ network, address }));
  await sql`
    update address set released_at = now()
    from ${unnestRows('mine', { text: ['network', 'address'] }, mine)}
    where address.network = mine.network and address.address = mine.address`.execute(trx);
  await deleteWatermarks(
    trx,
    released.map(({ actorId }) => simulatedGate(actorId)),
  );
}
