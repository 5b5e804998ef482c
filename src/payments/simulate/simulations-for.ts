import type { Kysely } from 'kysely';
import {
  ASSETS,
  type CryptoSymbol,
  type TransactionException,
  type TransactionStatus,
} from '../../../machines/index.ts';
import { simulated } from '../../chains/index.ts';
import type { BusHandler } from '../../platform/bus/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Engine } from '../../platform/engine/index.ts';
import type { VerifyMessage } from '../queues.ts';
import { chainEventCommand } from '../watching/chain-events.ts';
import type { SimulateAction } from './simulate.ts';
import { loadTransaction } from './simulated-state.ts';

/** The parts of a payment that simulation depends on. */
export interface SimulatablePayment {
  readonly isSimulated: boolean;
  readonly crypto: CryptoSymbol;
  readonly status: TransactionStatus;
  readonly exception: TransactionException | null;
  /** In whole coins, an exact decimal. */
  readonly remaining: { readonly crypto: string };
  readonly splits: readonly { readonly status: string }[];
}

/**
 * The actions that `simulate` would accept for a payment now, for buttons; none for a real network.
 * `simulate` rejects others with the reason, so this may list slightly too many and never too few.
 */
export function simulationsFor(payment: SimulatablePayment): readonly SimulateAction[] {
  const { isSimulated, crypto, status, exception, remaining, splits } = payment;
  if (!isSimulated) return [];
  const isOpen = status === 'pending' || status === 'partial';
  const waits = splits.some((split) => split.status === 'detected' || split.status === 'confirming');
  const isInBlock = splits.some((split) => split.status === 'confirming' || split.status === 'confirmed');
  const isOnTheWay = splits.some((split) => split.status === 'detected');
  const canPay = remaining.crypto !== '0';
  const possible: Readonly<Record<SimulateAction, boolean>> = {
    pay: canPay,
    pay_partial: canPay,
    overpay: true,
    pay_late: isOpen || status === 'expired' || status === 'failed',
    confirm: waits,
    double_spend: isOnTheWay,
    reorg: isInBlock,
    drop_balance: ASSETS[crypto].family === 'evm' && isOpen && exception === null,
    advance_clock: true,
  };
  return (Object.keys(possible) as SimulateAction[]).filter((action) => possible[action]);
}

/**
 * Responds to verifications on simulated networks, unless the simulate call has already done so.
 * The message is redelivered while the database is unavailable.
 */
export function createSimulatedVerifyHandler({ db, engine }: { db: Kysely<Database>; engine: Engine }): BusHandler {
  return async ({ data }) => {
    const { transactionId, requiredConfirmations, outputs } = data as VerifyMessage;
    const { chain, context } = await loadTransaction(db, transactionId);
    const waiting = context.outputs.filter((output) => output.verifying).map((output) => output.outputId);
    const requested = outputs.map((output) => output.outputId).filter((outputId) => waiting.includes(outputId));
    for (const observation of simulated.verify(chain, requested, requiredConfirmations)) {
      await engine.deliver(chainEventCommand(transactionId, observation));
    }
  };
}
