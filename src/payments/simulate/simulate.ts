import type { Kysely } from 'kysely';
import { ASSETS, publicStateOf, SECOND_MS } from '../../../machines/index.ts';
import { simulated as chain, type Observation } from '../../chains/index.ts';
import { auditRequest, type RequestAuthor } from '../../merchants/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { dueTimersOf, type Engine, saveWatermark, shiftClock, timerCommand } from '../../platform/engine/index.ts';
import { assertNever, TerminalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { isSimulated } from '../../wallets/index.ts';
import { getTransaction, type ReadDeps, type Scope } from '../view/get-transaction.ts';
import type { TransactionView } from '../view/merchant-view.ts';
import { chainEventCommand } from '../watching/chain-events.ts';
import { heightGate } from '../watching/gate-names.ts';
import { type ClockMove, clockTarget, moveClockTo, rejectClockMove } from './move-clock.ts';
import { amountToPay, invalidState } from './simulate-amount.ts';
import { type LoadedTransaction, loadTransaction } from './simulated-state.ts';

export const SIMULATE_ACTIONS = [
  'pay',
  'pay_partial',
  'overpay',
  'pay_late',
  'double_spend',
  'confirm',
  'reorg',
  'drop_balance',
  'advance_clock',
] as const;
export type SimulateAction = (typeof SIMULATE_ACTIONS)[number];

/** With a `ClockMove` for `advance_clock`, and for no other action. */
export interface SimulateRequest extends ClockMove {
  readonly action: SimulateAction;
  /** In whole coins, for the actions that pay. */
  readonly amountCrypto?: number;
}

export interface SimulateDeps extends ReadDeps {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly clock: Clock;
}

/** Timer rounds per call; a chart that needs more is looping. */
const MAX_TIMER_ROUNDS = 20;

/**
 * Simulates an event on the chain or clock of one test transaction and returns the transaction
 * after it. Uses the same path as real coins: observations and timers become events of the actor.
 * Throws `TerminalError` `TRANSACTION_NOT_FOUND`, `FORBIDDEN` off the simulated network,
 * `INVALID_REQUEST` when the action does not fit the coin or `clockTarget` rejects the move, and
 * `INVALID_STATE` when there is nothing to act on. `author` is the user, for the audit log; null
 * for the merchant's own program.
 */
export async function simulate(
  deps: SimulateDeps,
  scope: Scope,
  transactionId: string,
  request: SimulateRequest,
  author: RequestAuthor | null = null,
): Promise<TransactionView<string>> {
  await getTransaction(deps, scope, transactionId);
  const loaded = await loadTransaction(deps.db, transactionId);
  if (!isSimulated(loaded.context.network)) {
    throw notSimulated(scope, loaded.context.network);
  }
  requireSimulatable(loaded, request.action);
  if (request.action !== 'advance_clock') rejectClockMove(request.action, request);
  if (author !== null) {
    const entry = { merchantId: scope.merchantId, what: 'payment.simulated', subjectId: transactionId } as const;
    await auditRequest(deps.db, author, { ...entry, details: { action: request.action } });
  }
  await act(deps, loaded, request);
  await fireDueTimers(deps, transactionId);
  return getTransaction(deps, scope, transactionId);
}

// Helpers

function notSimulated({ mode }: Scope, network: string): TerminalError {
  const message =
    mode === 'live'
      ? 'Only payments of test keys can be simulated'
      : `This test payment is on ${network}, a real network, and cannot be simulated: send test coins to its deposit_address`;
  return new TerminalError('FORBIDDEN', message);
}

/** A program could simulate in a loop, and every event folds all outputs. */
const MAX_SIMULATED_OUTPUTS = 50;
const PAYING: ReadonlySet<SimulateAction> = new Set<SimulateAction>(['pay', 'pay_partial', 'overpay', 'pay_late']);

function requireSimulatable({ state, context }: LoadedTransaction, action: SimulateAction): void {
  if (state.startsWith('closed')) throw invalidState('its address is no longer watched, and the payment is final');
  if (context.outputs.length < MAX_SIMULATED_OUTPUTS || !PAYING.has(action)) return;
  throw invalidState(`it already has ${MAX_SIMULATED_OUTPUTS} outputs, the limit for simulated payments`);
}

async function act(deps: SimulateDeps, loaded: LoadedTransaction, request: SimulateRequest): Promise<void> {
  const { action } = request;
  switch (action) {
    case 'pay':
    case 'pay_partial':
    case 'overpay':
      return observe(deps, loaded, [
        chain.pay(loaded.chain, amountToPay(loaded.context, action, request.amountCrypto), now(deps, loaded)),
      ]);
    case 'pay_late':
      return payLate(deps, loaded, request);
    case 'confirm':
      return confirm(deps, loaded);
    case 'double_spend':
      return observe(deps, loaded, some(chain.doubleSpend(loaded.chain), 'there is no unconfirmed payment to replace'));
    case 'reorg':
      return observe(deps, loaded, some(chain.reorganise(loaded.chain), 'no payment is in a block yet'));
    case 'drop_balance':
      return dropBalance(deps, loaded);
    case 'advance_clock':
      return moveClock(deps, loaded, request);
    default:
      return assertNever(action, 'action');
  }
}

async function observe(
  deps: SimulateDeps,
  loaded: LoadedTransaction,
  observations: readonly Observation[],
): Promise<void> {
  for (const observation of observations) {
    await deps.engine.deliver(chainEventCommand(loaded.context.transactionId, observation));
  }
}

/** Mines unconfirmed outputs, adds the required depth and verifies it, as a real watcher would. */
async function confirm(deps: SimulateDeps, loaded: LoadedTransaction): Promise<void> {
  const { transactionId, confirmationsRequired, network } = loaded.context;
  const { observations, height } = chain.mine(loaded.chain);
  const unconfirmed = loaded.chain.outputs.some((output) => output.presence === 'block' && output.confirmedAt === null);
  if (observations.length === 0 && !unconfirmed) throw invalidState('no payment is awaiting confirmations');
  await observe(deps, loaded, observations);
  const tip = height + confirmationsRequired - 1;
  await saveWatermark(deps.db, { gate: heightGate(network, transactionId), reachedAt: null, height: tip });
  await fireDueTimers(deps, transactionId);
  const closed = await loadTransaction(deps.db, transactionId);
  await observe(deps, closed, chain.confirmDeep(closed.chain, confirmationsRequired));
}

/** Closes the window first if it is still open. */
async function payLate(deps: SimulateDeps, loaded: LoadedTransaction, request: SimulateRequest): Promise<void> {
  const { transactionId, expiresAt } = loaded.context;
  const { status } = publicStateOf(loaded.state);
  if (status !== 'pending' && status !== 'partial' && status !== 'expired' && status !== 'failed') {
    throw invalidState(`coins cannot be late while the transaction is ${status}`);
  }
  const wait = expiresAt + SECOND_MS - now(deps, loaded);
  if (wait > 0) await advanceClock(deps, loaded, wait);
  await fireDueTimers(deps, transactionId);
  const closed = await loadTransaction(deps.db, transactionId);
  await observe(deps, closed, [
    chain.pay(closed.chain, amountToPay(closed.context, 'pay_late', request.amountCrypto), now(deps, closed)),
  ]);
}

async function dropBalance(deps: SimulateDeps, { context, state }: LoadedTransaction): Promise<void> {
  if (ASSETS[context.crypto].family !== 'evm') {
    throw new TerminalError('INVALID_REQUEST', 'action drop_balance is for ETH and ERC-20 tokens only');
  }
  if (!state.startsWith('open.') || state === 'open.inReview') {
    throw invalidState('only a pending or partial transaction can go under review');
  }
  const event = { type: 'chain.balance_dropped', missingBaseUnits: context.dueBaseUnits };
  await deps.engine.deliver({ actorId: context.transactionId, eventId: `simulate:${newId('req')}`, event });
}

async function moveClock(deps: SimulateDeps, loaded: LoadedTransaction, move: ClockMove): Promise<void> {
  const target = clockTarget(move, { now: deps.clock.now(), offsetMs: loaded.clockOffsetMs });
  // To the requested second, however long this takes.
  if (move.seconds !== undefined) return advanceClock(deps, loaded, move.seconds * SECOND_MS);
  await moveClockTo(deps, loaded.context.transactionId, target);
}

async function advanceClock({ db }: SimulateDeps, { context }: LoadedTransaction, byMs: number): Promise<void> {
  await db.transaction().execute((trx) => shiftClock(trx, context.transactionId, byMs));
}

/** Delivers due timers without waiting for the timer service. Both use the same event ids. */
async function fireDueTimers({ db, engine, clock }: SimulateDeps, actorId: string): Promise<void> {
  for (let round = 0; round < MAX_TIMER_ROUNDS; round += 1) {
    const due = await dueTimersOf(db, { actorId, now: clock.now() });
    if (due.length === 0) return;
    for (const timer of due) await engine.deliver(timerCommand(timer));
  }
}

function now(deps: SimulateDeps, loaded: LoadedTransaction): number {
  return deps.clock.now() + loaded.clockOffsetMs;
}

function some(observations: readonly Observation[], otherwise: string): readonly Observation[] {
  if (observations.length === 0) throw invalidState(otherwise);
  return observations;
}
