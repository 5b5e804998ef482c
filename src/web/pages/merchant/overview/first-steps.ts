import type { FirstRun } from '../../../../http/console/merchant/overview/schemas.ts';

export type StepId = 'testPayment' | 'wallet' | 'key' | 'endpoint' | 'contact' | 'livePayment';
export type StepState = 'done' | 'next' | 'later';

export interface FirstStep {
  readonly id: StepId;
  readonly title: string;
  /** Its purpose, for a first-time user. */
  readonly why: string;
  readonly state: StepState;
}

/**
 * The steps to the first payment, in order. The first incomplete step is the next one, whichever
 * later ones are complete.
 */
export function firstStepsOf(firstRun: FirstRun): readonly FirstStep[] {
  const next = STEPS.find(({ isDone }) => !isDone(firstRun));
  return STEPS.map(({ isDone, ...step }) => ({
    ...step,
    state: isDone(firstRun) ? 'done' : step.id === next?.id ? 'next' : 'later',
  }));
}

/** Everything is set up and tested; only a customer is missing. */
export function isSetUp(firstRun: FirstRun): boolean {
  return STEPS.every(({ id, isDone }) => id === 'livePayment' || isDone(firstRun));
}

// Helpers

interface StepPlan extends Omit<FirstStep, 'state'> {
  isDone(firstRun: FirstRun): boolean;
}

const STEPS: readonly StepPlan[] = [
  {
    id: 'testPayment',
    title: 'Create your first test payment',
    why: 'See what your customers see, and simulate the customer with buttons. No coins move.',
    isDone: ({ hasTestPayment }) => hasTestPayment,
  },
  {
    id: 'wallet',
    title: 'Add a wallet',
    why: 'Real payments go straight to your own wallet. You paste its extended public key, which can receive but never spend.',
    isDone: ({ hasWallet }) => hasWallet,
  },
  {
    id: 'key',
    title: 'Create an API key',
    why: 'Your shop uses it to authenticate. Start with a test key: it moves no real money. Keep keys on your server, never in a web page.',
    isDone: ({ hasTestKey }) => hasTestKey,
  },
  {
    id: 'endpoint',
    title: 'Add a webhook endpoint and send it a test event',
    why: 'Your server is notified when a payment is completed, even if the customer has closed the page. The test event shows that your server accepts it.',
    isDone: ({ hasDelivered }) => hasDelivered,
  },
  {
    id: 'contact',
    title: 'Set a support contact',
    why: 'Customers with a late, failed or overpaid payment see on its page how to reach you, and which number to quote.',
    isDone: ({ hasSupportContact }) => hasSupportContact,
  },
  {
    id: 'livePayment',
    title: 'Take your first real payment',
    why: 'Use a live key (sk_live_…) where your server used the test key. Start with a small payment of your own.',
    isDone: ({ hasLivePayment }) => hasLivePayment,
  },
];
