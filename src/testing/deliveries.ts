import fc from 'fast-check';
import { SECOND_MS, type UnixMs } from '../../machines/index.ts';
import { serviceSignature, standardSignature } from '../client/index.ts';
import { VERSION } from '../platform/version.ts';
import { DEFAULT_SUBSCRIPTION, type WebhookEventType } from '../webhooks/index.ts';
import type { RecordedEvent, RecordedHistory } from './event.ts';

/** One POST as your endpoint receives it. */
export interface Delivery extends WebhookRequest {
  readonly event: RecordedEvent;
  /** 1 for the first attempt, then increasing. */
  readonly attempt: number;
  readonly sentAt: UnixMs;
}

export interface WebhookRequest {
  readonly rawBody: Buffer;
  /** Lower-case names, as in `node:http`. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface DeliveryOptions {
  /** Secret of the endpoint, `whsec_...`. */
  readonly secret: string;
  /** Event types the endpoint is subscribed to; the service's default if omitted. */
  readonly events?: readonly WebhookEventType[];
}

export const TEST_WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 'quittance testing').toString('base64')}`;

/** Maximum number of posts per event, of events that overtake a post, and of planned events. */
const MAX_POSTS = 3;
const MAX_OVERTAKING = 6;
const MAX_PLANS = 24;
const ENDPOINT_ID = 'whk_0123456789abcdefghjkmnpqrs';

/**
 * Generates orders in which events can arrive: every event at least once, some again with a higher
 * attempt number because the response was lost, some twice with the same attempt number because the
 * sender died, in any order. Shrinks to each event once, in order.
 */
export function deliveriesOf(
  histories: RecordedHistory | readonly RecordedHistory[],
  options: DeliveryOptions,
): fc.Arbitrary<readonly Delivery[]> {
  return deliveryPlans.map((plan) => deliver([histories].flat(), plan, options));
}

/**
 * How one event is delivered: for each POST, whether it keeps the attempt number, and how many
 * others overtake it.
 */
type EventPlan = readonly { readonly isSameAttempt: boolean; readonly overtakenBy: number }[];

/** One plan per event; events without one arrive once and in order. */
export const deliveryPlans: fc.Arbitrary<readonly EventPlan[]> = fc.array(
  fc.array(fc.record({ isSameAttempt: fc.boolean(), overtakenBy: fc.nat({ max: MAX_OVERTAKING }) }), {
    minLength: 1,
    maxLength: MAX_POSTS,
  }),
  { maxLength: MAX_PLANS, size: 'max' },
);

/** Delivers events according to a plan. */
export function deliver(
  histories: readonly RecordedHistory[],
  plan: readonly EventPlan[],
  { secret, events = DEFAULT_SUBSCRIPTION }: DeliveryOptions,
): readonly Delivery[] {
  const subscribed = histories.flatMap((history) => history.events).filter(({ event }) => events.includes(event));
  const posts = subscribed.flatMap((event, index) => postsOf(event, index, plan[index] ?? ONCE));
  // The sort is stable, so events that are not overtaken keep their order.
  const arrived = posts.toSorted((a, b) => a.position - b.position);
  let now = 0;
  return arrived.map(({ event, attempt }) => {
    now = Math.max(now + SECOND_MS, event.at);
    return signDelivery({ event, attempt }, secret, now);
  });
}

/** The same delivery as sent at another time: every attempt is signed anew. */
export function signDelivery(
  { event, attempt }: Pick<Delivery, 'event' | 'attempt'>,
  secret: string,
  at: UnixMs,
): Delivery {
  const rawBody = Buffer.from(event.body);
  const timestamp = String(Math.floor(at / SECOND_MS));
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Quittance/${VERSION}`,
    'x-service-signature': serviceSignature(secret, rawBody),
    'x-service-event': event.event,
    'x-service-mode': event.mode,
    'x-webhook-id': ENDPOINT_ID,
    'x-service-attempt': String(attempt),
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(secret, { id: event.id, timestamp, rawBody }),
  };
  return { event, attempt, sentAt: at, rawBody, headers };
}

// Helpers

interface Post {
  readonly event: RecordedEvent;
  readonly attempt: number;
  readonly position: number;
}

const ONCE: EventPlan = [{ isSameAttempt: false, overtakenBy: 0 }];

/** An attempt is made only after the previous one, so none arrives before it. */
function postsOf(event: RecordedEvent, index: number, plan: EventPlan): Post[] {
  const posts: Post[] = [];
  for (const { isSameAttempt, overtakenBy } of plan) {
    const before = posts.at(-1);
    posts.push({
      event,
      attempt: before === undefined ? 1 : before.attempt + (isSameAttempt ? 0 : 1),
      position: (before?.position ?? index) + overtakenBy,
    });
  }
  return posts;
}
