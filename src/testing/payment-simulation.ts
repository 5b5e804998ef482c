import {
  ASSETS,
  type ChainEvent,
  MINUTE_MS,
  type OutputRecord,
  remainingBaseUnits,
  SECOND_MS,
  type TransactionEvent,
  type UnixMs,
} from '../../machines/index.ts';
import { assertNever } from '../platform/errors.ts';
import type { PaymentActor } from './actor.ts';

/**
 * Actions of a customer, a chain, the clock and a merchant on one payment. One that does not apply
 * has no effect.
 */
export type PaymentStep =
  | { readonly act: 'pay'; readonly what: 'rest' | 'half' | 'too_much' | 'dust' }
  | { readonly act: 'mine' | 'confirm_deeply' | 'double_spend' | 'reorganise' | 'drop_balance' | 'close' }
  | { readonly act: 'wait'; readonly minutes: number }
  | { readonly act: 'decide'; readonly accepts: boolean };

/**
 * Applies one step and all its consequences: due timers fire in order, questions about depth are
 * answered from the current chain. So the actor receives only events that a chain watcher could
 * send.
 */
export interface PaymentSimulation {
  readonly now: UnixMs;
  take(step: PaymentStep): void;
}

const FIRST_HEIGHT = 100;

export function createPaymentSimulation(actor: PaymentActor): PaymentSimulation {
  let now = actor.context.createdAt;
  let height = FIRST_HEIGHT;
  let order = 0;
  let paid = 0;
  let blocks = 0;

  function observe(type: OutputEventType, output: SeenOutput, more: object = {}): void {
    order += 1;
    const { outputId, txid, amountBaseUnits, firstSeenAt } = output;
    const observation = { type, at: now, outputId, order, txid, amountBaseUnits, firstSeenAt, ...more };
    // The caller supplies the fields of each type.
    actor.send(observation as ChainEvent);
  }

  /** Repeats until nothing is due. */
  function settle(): void {
    for (let due = nextDue(); due !== null; due = nextDue()) {
      now = Math.max(now, due.at);
      actor.send(due.event);
    }
  }

  function nextDue(): { readonly at: UnixMs; readonly event: TransactionEvent } | null {
    answerQuestions();
    if (actor.isOver) return null;
    const depth = actor.timers.get('depth_reached');
    if (depth !== undefined && depth <= height) {
      return { at: now, event: { type: 'timer.depth_reached', at: now, height: depth } };
    }
    const [first] = TIME_TIMERS.flatMap((timer) => {
      const dueAt = actor.timers.get(timer);
      return dueAt === undefined || dueAt > now ? [] : [{ timer, dueAt }];
    }).sort((a, b) => a.dueAt - b.dueAt);
    if (first === undefined) return null;
    return { at: now, event: { type: `timer.${first.timer}`, at: now, dueAt: first.dueAt } };
  }

  function answerQuestions(): void {
    for (let requested = actor.takeQuestion(); requested !== undefined; requested = actor.takeQuestion()) {
      for (const output of actor.context.outputs.filter(({ outputId }) => requested?.includes(outputId))) {
        if (output.presence !== 'block' || output.height === null) continue;
        const isDeep = height - output.height + 1 >= actor.context.confirmationsRequired;
        const { height: at, blockHash } = output;
        observe(isDeep ? 'chain.output_confirmed' : 'chain.output_mined', output, { height: at, blockHash });
      }
    }
  }

  /** Timers in between fire at their own time, not all at the end. */
  function passTime(until: UnixMs): void {
    for (;;) {
      const dues = TIME_TIMERS.flatMap((timer) => actor.timers.get(timer) ?? []).filter((dueAt) => dueAt <= until);
      const next = dues.length === 0 || actor.isOver ? until : Math.min(...dues);
      now = Math.max(now, next);
      settle();
      if (next === until) return;
    }
  }

  function pay(what: 'rest' | 'half' | 'too_much' | 'dust'): void {
    const amount = amountOf(actor, what);
    if (amount <= 0n) return;
    paid += 1;
    const txid = paid.toString(16).padStart(64, '0');
    observe('chain.output_seen', {
      outputId: `${txid}:0`,
      txid,
      amountBaseUnits: amount.toString(),
      firstSeenAt: now,
    });
  }

  function mine(): void {
    const waiting = actor.context.outputs.filter(({ presence }) => presence === 'mempool');
    height += 1;
    blocks += 1;
    const blockHash = blocks.toString(16).padStart(64, '0');
    for (const output of waiting) observe('chain.output_mined', output, { height, blockHash });
  }

  function drop(outputs: readonly OutputRecord[], reason: 'replaced' | 'reorged'): void {
    for (const output of outputs) observe('chain.output_dropped', output, { reason });
  }

  function dropBalance(): void {
    const { crypto, dueBaseUnits } = actor.context;
    if (ASSETS[crypto].family !== 'evm' || !actor.state.startsWith('open.')) return;
    actor.send({ type: 'chain.balance_dropped', at: now, missingBaseUnits: dueBaseUnits });
  }

  /** Only in states in which the merchant must decide. */
  function decide(accepts: boolean): void {
    const by = 'usr_history';
    if (actor.state === 'open.inReview') {
      actor.send({ type: accepts ? 'merchant.confirmed' : 'merchant.rejected', at: now, by });
    } else if (actor.state === 'expired.paidLate') {
      actor.send({ type: accepts ? 'merchant.marked_paid' : 'merchant.dismissed', at: now, by });
    }
  }

  function act(step: PaymentStep): void {
    const { outputs, expiresAt, confirmationsRequired } = actor.context;
    switch (step.act) {
      case 'pay':
        pay(step.what);
        break;
      case 'mine':
        mine();
        break;
      case 'confirm_deeply':
        mine();
        height += confirmationsRequired;
        break;
      case 'double_spend':
        drop(outputs.filter(({ presence }) => presence === 'mempool').slice(-1), 'replaced');
        break;
      case 'reorganise':
        drop(newestMined(outputs), 'reorged');
        break;
      case 'drop_balance':
        dropBalance();
        break;
      case 'close':
        passTime(Math.max(now, expiresAt + SECOND_MS));
        break;
      case 'wait':
        passTime(now + step.minutes * MINUTE_MS);
        break;
      case 'decide':
        decide(step.accepts);
        break;
      default:
        assertNever(step, 'step');
    }
  }

  return {
    get now() {
      return now;
    },
    take(step) {
      if (actor.isOver) return;
      now += SECOND_MS;
      act(step);
      settle();
    },
  };
}

// Helpers

const TIME_TIMERS = [
  'window_closed',
  'confirmation_deadline_passed',
  'loss_settled',
  'verification_overdue',
  'monitoring_ended',
] as const;

type OutputEventType = Exclude<ChainEvent['type'], 'chain.balance_dropped'>;
type SeenOutput = Pick<OutputRecord, 'outputId' | 'txid' | 'amountBaseUnits' | 'firstSeenAt'>;

function amountOf({ context }: PaymentActor, what: 'rest' | 'half' | 'too_much' | 'dust'): bigint {
  const remaining = remainingBaseUnits(context);
  const due = BigInt(context.dueBaseUnits);
  const amounts = { rest: remaining, half: remaining / 2n, too_much: remaining + due / 10n, dust: 1n };
  return amounts[what];
}

function newestMined(outputs: readonly OutputRecord[]): OutputRecord[] {
  const heights = outputs.flatMap(({ presence, height }) => (presence === 'block' && height !== null ? [height] : []));
  return outputs.filter(({ presence, height }) => presence === 'block' && height === Math.max(...heights));
}
