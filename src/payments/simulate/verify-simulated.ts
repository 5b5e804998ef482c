import type { Kysely } from 'kysely';
import type { BusHandler } from '../../bus/index.ts';
import { simulated } from '../../chains/index.ts';
import { type Database, whileDatabaseAnswers } from '../../db/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { VerifyMessage } from '../queues.ts';
import { chainEventCommand } from '../watching/chain-events.ts';
import { loadTransaction } from './simulated-state.ts';

/**
 * Answers verifications on simulated networks, except those that the simulate call has already
 * answered. The message is redelivered while the database is unavailable.
 */
export function createSimulatedVerifyHandler({ db, engine }: { db: Kysely<Database>; engine: Engine }): BusHandler {
  return async ({ data }) => {
    const { transactionId, requiredConfirmations, outputs } = data as VerifyMessage;
    const { chain, context } = await whileDatabaseAnswers(() => loadTransaction(db, transactionId));
    const waiting = context.outputs.filter((output) => output.verifying).map((output) => output.outputId);
    const asked = outputs.map((output) => output.outputId).filter((outputId) => waiting.includes(outputId));
    for (const observation of simulated.verify(chain, asked, requiredConfirmations)) {
      await engine.deliver(chainEventCommand(transactionId, observation));
    }
  };
}
