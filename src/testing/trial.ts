import fc from 'fast-check';
import type { Mode } from '../../machines/index.ts';
import { messageOf } from '../platform/errors.ts';
import {
  type Delivery,
  deliver,
  deliveryPlans,
  signDelivery,
  TEST_WEBHOOK_SECRET,
  type WebhookRequest,
} from './deliveries.ts';
import { inMode, type RecordedHistory } from './event.ts';
import { forge } from './forge.ts';
import { describeScenario, FORGERIES, type Scenario } from './scenario.ts';

/** A webhook receiver; it may be a server or a plain function. */
export interface WebhookTaker {
  /** Handles a POST and returns the HTTP status of the response. */
  receive(request: WebhookRequest): Promise<number> | number;
  /** Called after each run. */
  close?(): Promise<void> | void;
}

export interface CheckOptions {
  /** Number of random scenarios. */
  readonly runs?: number;
  /** Seed and path from the message of a failure, to replay it. */
  readonly seed?: number;
  readonly path?: string;
  /**
   * The mode your receiver works in, `live` by default. It must reject events of the other mode.
   */
  readonly mode?: Mode;
  /** The secret your receiver verifies with, `whsec_...`; a test secret by default. */
  readonly secret?: string;
}

/** How receivers are tested and checked. */
export interface Trial<H extends RecordedHistory, R extends WebhookTaker> {
  readonly histories: fc.Arbitrary<H>;
  /** Its id, unique within a scenario, as the service never reuses ids. */
  identify(history: H): string;
  /** Describes one history in one line. */
  describe(history: H): string;
  /** Rejects when the receiver's final state differs from that of a correct one. */
  verify(receiver: R, history: H, deliveries: readonly Delivery[]): Promise<void>;
}

const RUNS = 200;

/** Runs a trial. Rejects with the shortest scenario in which the receiver fails. */
export async function runTrial<H extends RecordedHistory, R extends WebhookTaker>(
  trial: Trial<H, R>,
  start: (secret: string) => Promise<R> | R,
  options: CheckOptions,
): Promise<void> {
  const { runs = RUNS, seed, path, mode = 'live', secret = TEST_WEBHOOK_SECRET } = options;
  const property = fc.asyncProperty(scenarios(trial, { secret, mode }), async (scenario) => {
    const receiver = await start(secret);
    try {
      await post(receiver, scenario, secret);
      for (const history of scenario.histories) await trial.verify(receiver, history, scenario.deliveries);
    } finally {
      await receiver.close?.();
    }
  });
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  if (details.failed) throw new Error(explain(trial, details), { cause: details.errorInstance });
}

// Helpers

const MAX_HISTORIES = 2;
const MAX_AT_ONCE = 3;

function scenarios<H extends RecordedHistory>(
  { histories, identify }: Pick<Trial<H, never>, 'histories' | 'identify'>,
  { secret, mode }: Required<Pick<CheckOptions, 'secret' | 'mode'>>,
): fc.Arbitrary<Scenario<H>> {
  return fc
    .record({
      histories: fc.uniqueArray(histories, { minLength: 1, maxLength: MAX_HISTORIES, selector: identify }),
      plan: deliveryPlans,
      atOnce: fc.integer({ min: 1, max: MAX_AT_ONCE }),
      forgery: fc.option(fc.constantFrom(...FORGERIES)),
    })
    .map(({ plan, ...scenario }) => {
      const histories = scenario.histories.map(({ events }) => ({
        events: events.map((event) => inMode(event, mode)),
      }));
      return { ...scenario, deliveries: deliver(histories, plan, { secret }) };
    });
}

function explain<H extends RecordedHistory>(
  { describe }: Pick<Trial<H, never>, 'describe'>,
  { counterexample, errorInstance, seed, counterexamplePath }: fc.RunDetails<[Scenario<H>]>,
): string {
  const [scenario] = counterexample ?? [];
  const changes =
    scenario === undefined ? '' : `\n\nShortest counterexample found:\n${describeScenario(scenario, describe)}`;
  return `${messageOf(errorInstance)}${changes}\n\nReplay with { seed: ${seed}, path: '${counterexamplePath ?? ''}' }`;
}

async function post<H extends RecordedHistory>(
  receiver: WebhookTaker,
  scenario: Scenario<H>,
  secret: string,
): Promise<void> {
  const { deliveries, atOnce, forgery } = scenario;
  for (let index = 0; index < deliveries.length; index += atOnce) {
    const together = deliveries.slice(index, index + atOnce);
    if (forgery !== null && together[0] !== undefined) await rejects(receiver, forge(together[0], forgery, secret));
    await Promise.all(together.map((delivery) => takes(receiver, delivery, secret)));
  }
}

/** Signed when it is sent, like every attempt, so that receivers can check the timestamp. */
async function takes(receiver: WebhookTaker, delivery: Delivery, secret: string): Promise<void> {
  const status = await receiver.receive(signDelivery(delivery, secret, Date.now()));
  if (isTaken(status)) return;
  throw new Error(
    `The receiver responds with ${status} to a genuine ${delivery.event.event}, attempt ${delivery.attempt}`,
  );
}

async function rejects(receiver: WebhookTaker, request: WebhookRequest): Promise<void> {
  const status = await receiver.receive(request);
  if (isTaken(status)) throw new Error(`The receiver responds with ${status} to a forged webhook; it must reject it`);
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}
