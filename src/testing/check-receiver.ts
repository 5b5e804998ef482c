import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { messageOf } from '../errors.ts';
import {
  type Delivery,
  deliver,
  deliveryPlans,
  signDelivery,
  TEST_WEBHOOK_SECRET,
  type WebhookRequest,
} from './deliveries.ts';
import { paymentHistories } from './history.ts';
import { expectedOutcome, type ReceiverOutcome } from './outcome.ts';
import { describeScenario, type Scenario } from './scenario.ts';

/** Your receiver, as the kit sees it: no server is needed, but one may stand behind it. */
export interface ReceiverUnderTest {
  /** Takes a POST and resolves with the HTTP status it is answered with. */
  receive(request: WebhookRequest): Promise<number> | number;
  /** What your shop believes about a payment now; null when it has never heard of it. */
  outcomeOf(transactionId: string): Promise<ReceiverOutcome | null> | ReceiverOutcome | null;
  /** Called after each run. */
  close?(): Promise<void> | void;
}

export interface CheckOptions {
  /** How many random scenarios are tried. */
  readonly runs?: number;
  /** Replays a failure: the seed and the path of its message. */
  readonly seed?: number;
  readonly path?: string;
  /** What your receiver verifies with, `whsec_...`; a secret for tests by default. */
  readonly secret?: string;
}

const RUNS = 200;

/**
 * Sends random but possible webhooks to a receiver, forged ones among them, several at a time, and compares what it ends with
 * to what a correct one ends with. `start` makes a receiver that knows nothing yet, for each run. Rejects with the shortest
 * scenario it finds in which the receiver is wrong, told step by step.
 */
export async function checkReceiver(
  start: (secret: string) => Promise<ReceiverUnderTest> | ReceiverUnderTest,
  options: CheckOptions = {},
): Promise<void> {
  const { runs = RUNS, seed, path, secret = TEST_WEBHOOK_SECRET } = options;
  const property = fc.asyncProperty(scenarios(secret), async (scenario) => {
    const receiver = await start(secret);
    try {
      await runScenario(receiver, scenario, secret);
    } finally {
      await receiver.close?.();
    }
  });
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  if (details.failed) throw new Error(explain(details), { cause: details.errorInstance });
}

// Helpers

const MAX_PAYMENTS = 2;
const MAX_AT_ONCE = 3;

function scenarios(secret: string): fc.Arbitrary<Scenario> {
  return fc
    .record({
      histories: fc.array(paymentHistories(), { minLength: 1, maxLength: MAX_PAYMENTS }),
      plan: deliveryPlans,
      atOnce: fc.integer({ min: 1, max: MAX_AT_ONCE }),
      forgery: fc.option(fc.constantFrom('wrong_secret' as const, 'changed_body' as const, 'unsigned' as const)),
    })
    .map(({ plan, ...scenario }) => ({ ...scenario, deliveries: deliver(scenario.histories, plan, { secret }) }));
}

function explain({ counterexample, errorInstance, seed, counterexamplePath }: fc.RunDetails<[Scenario]>): string {
  const [scenario] = counterexample ?? [];
  const story = scenario === undefined ? '' : `\n\nThe shortest way there:\n${describeScenario(scenario)}`;
  return `${messageOf(errorInstance)}${story}\n\nReplay with { seed: ${seed}, path: '${counterexamplePath ?? ''}' }`;
}

async function runScenario(receiver: ReceiverUnderTest, scenario: Scenario, secret: string): Promise<void> {
  const { deliveries, atOnce, forgery, histories } = scenario;
  for (let place = 0; place < deliveries.length; place += atOnce) {
    const together = deliveries.slice(place, place + atOnce);
    if (forgery !== null && together[0] !== undefined) await refuses(receiver, forge(together[0], forgery, secret));
    await Promise.all(together.map((delivery) => takes(receiver, delivery, secret)));
  }
  for (const { transactionId } of histories) {
    const [expected, actual] = [expectedOutcome(transactionId, deliveries), await receiver.outcomeOf(transactionId)];
    if (isDeepStrictEqual(actual, expected)) continue;
    throw new Error(`The receiver ends ${transactionId} with ${show(actual)}, a correct one with ${show(expected)}`);
  }
}

/** Signed at the moment of sending, as every attempt is, so that receivers can check the time. */
async function takes(receiver: ReceiverUnderTest, delivery: Delivery, secret: string): Promise<void> {
  const status = await receiver.receive(signDelivery(delivery, secret, Date.now()));
  if (isTaken(status)) return;
  throw new Error(`The receiver answers ${status} to a genuine ${delivery.event.event}, attempt ${delivery.attempt}`);
}

async function refuses(receiver: ReceiverUnderTest, request: WebhookRequest): Promise<void> {
  const status = await receiver.receive(request);
  if (isTaken(status)) throw new Error(`The receiver answers ${status} to a forged webhook; it has to refuse it`);
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

/** An event that would complete the payment, if it were believed. */
function forge({ event, attempt }: Delivery, how: NonNullable<Scenario['forgery']>, secret: string): WebhookRequest {
  const claimed = { id: `${event.id}x`, event: 'payment.completed', status: 'completed', sequence: 1_000 } as const;
  const body = JSON.stringify({ ...JSON.parse(event.body), ...claimed });
  const forged = { event: { ...event, ...claimed, body }, attempt };
  const other = `whsec_${Buffer.alloc(32, 'somebody else').toString('base64')}`;
  switch (how) {
    case 'wrong_secret':
      return signDelivery(forged, other, Date.now());
    case 'changed_body': {
      const genuine = signDelivery({ event, attempt }, secret, Date.now());
      return { headers: genuine.headers, rawBody: Buffer.from(body) };
    }
    case 'unsigned':
      return { headers: { 'content-type': 'application/json' }, rawBody: Buffer.from(body) };
  }
}

function show(outcome: ReceiverOutcome | null): string {
  return outcome === null ? 'nothing' : JSON.stringify(outcome);
}
