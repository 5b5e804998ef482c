import { isDeepStrictEqual } from 'node:util';
import { type CheckOptions, runTrial, type Trial, type WebhookTaker } from '../trial.ts';
import { type ScheduleHistory, scheduleHistories } from './schedule-history.ts';
import { expectedScheduleOutcome, type ScheduleOutcome } from './schedule-outcome.ts';
import type { ScheduleStep } from './schedule-simulation.ts';

/** Your receiver of recurring payment requests, as the test kit uses it. */
export interface RecurringReceiverUnderTest extends WebhookTaker {
  /** Your shop's current state of a request; null if it knows nothing about it. */
  scheduleOutcomeOf(scheduleId: string): Promise<ScheduleOutcome | null> | ScheduleOutcome | null;
}

/**
 * The equivalent of `checkReceiver` for recurring payment requests. The payment.* events of their
 * payments are sent as well: respond with 2xx, and credit no period twice because of them.
 */
export async function checkRecurringReceiver(
  start: (secret: string) => Promise<RecurringReceiverUnderTest> | RecurringReceiverUnderTest,
  options: CheckOptions = {},
): Promise<void> {
  await runTrial(SCHEDULES, start, options);
}

// Helpers

const SCHEDULES: Trial<ScheduleHistory, RecurringReceiverUnderTest> = {
  histories: scheduleHistories(),
  identify: ({ scheduleId }) => scheduleId,
  describe: ({ scheduleId, steps }) => `${scheduleId}: created, ${steps.map(inWords).join(', ')}`,
  async verify(receiver, { scheduleId }, deliveries) {
    const expected = expectedScheduleOutcome(scheduleId, deliveries);
    const actual = await receiver.scheduleOutcomeOf(scheduleId);
    if (isDeepStrictEqual(actual, expected)) return;
    throw new Error(`The receiver ends ${scheduleId} with ${show(actual)}, a correct one with ${show(expected)}`);
  },
};

function show(outcome: ScheduleOutcome | null): string {
  return outcome === null ? 'nothing' : JSON.stringify(outcome);
}

function inWords(step: ScheduleStep): string {
  switch (step.act) {
    case 'wait':
    case 'outage':
      return `${step.act} ${step.days} days`;
    case 'pay': {
      const times = step.isTwice ? ' twice' : '';
      return `pay the period ${step.period}${times}${step.meanwhile === 'nothing' ? '' : ` and ${step.meanwhile}`}`;
    }
    case 'wait_for_next':
      return 'wait for the next period';
    case 'let_expire':
      return 'open a payment and let it expire';
    case 'confirm':
    case 'stop':
    case 'bounce':
    case 'pause':
    case 'resume':
    case 'cancel':
      return step.act;
  }
}
