import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '../../../../machines/index.ts';
import { commandConstraints } from '../../../support/run/fast-check.ts';
import type { ActorRun } from '../actor-run.ts';
import { amountNearDue, branch, firstSeen, height, slot } from '../model/arbitraries.ts';
import type { LedgerModel } from '../model/model.ts';
import { BalanceDropped } from './balance-dropped.ts';
import { CoinsSettled } from './coins-settled.ts';
import type { TransactionCommand } from './command.ts';
import { DepthReached } from './depth-reached.ts';
import { MerchantDecided } from './merchant-decided.ts';
import { ObservationArrived } from './observation-arrived.ts';
import { ObservationRepeated } from './observation-repeated.ts';
import { OutputObserved } from './output-observed.ts';
import { TimePassed } from './time-passed.ts';
import { TimerFired } from './timer-fired.ts';
import { VerificationAnswered } from './verification-answered.ts';

export type { TransactionCommand } from './command.ts';

const MAX_COMMANDS = 35;

const isDelayed = fc.nat({ max: 5 }).map((roll) => roll === 0);
const pick = fc.nat({ max: 40 });
/** Mostly the running timer, sometimes one that was moved or cancelled. */
const stale = fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: pick, weight: 1 });
const sighting = fc.record({ firstSeenAt: firstSeen });
const placed = fc.record({ firstSeenAt: firstSeen, height, branch });

/** Any history of one transaction, with every event that can occur. */
export function transactionHistories(): fc.Arbitrary<Iterable<TransactionCommand>> {
  return fc.commands<LedgerModel, ActorRun>(
    [
      fc.tuple(slot, sighting, isDelayed).map((args) => new OutputObserved('OutputSeen', ...args)),
      fc.tuple(slot, placed, isDelayed).map((args) => new OutputObserved('OutputMined', ...args)),
      fc.tuple(slot, placed, isDelayed).map((args) => new OutputObserved('OutputConfirmed', ...args)),
      fc.tuple(slot, sighting, isDelayed).map((args) => new OutputObserved('OutputDropped', ...args)),
      pick.map((index) => new ObservationRepeated(index)),
      pick.map((index) => new ObservationArrived(index)),
      amountNearDue.map((missing) => new BalanceDropped(missing)),
      stale.map((index) => new TimerFired('window_closed', index)),
      stale.map((index) => new TimerFired('confirmation_deadline_passed', index)),
      stale.map((index) => new TimerFired('loss_settled', index)),
      stale.map((index) => new TimerFired('verification_overdue', index)),
      stale.map((index) => new TimerFired('monitoring_ended', index)),
      stale.map((index) => new DepthReached(index)),
      fc
        .constantFrom('deep' as const, 'shallow' as const, 'gone' as const)
        .map((response) => new VerificationAnswered(response)),
      fc
        .constantFrom(
          'merchant.marked_paid' as const,
          'merchant.dismissed' as const,
          'merchant.confirmed' as const,
          'merchant.rejected' as const,
        )
        .map((decision) => new MerchantDecided(decision)),
      fc.constantFrom(1 as const, 2 as const).map((every) => new CoinsSettled(every)),
      fc.constantFrom(1, MINUTE_MS, HOUR_MS).map((milliseconds) => new TimePassed(milliseconds)),
    ],
    commandConstraints(MAX_COMMANDS),
  );
}
