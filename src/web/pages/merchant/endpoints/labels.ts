import type {
  DeliveryInfo,
  DeliveryState,
  EndpointInfo,
  WebhookEventType,
} from '../../../../http/console/merchant/endpoints/schemas.ts';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import type { Tone } from '../../../ui/badge.tsx';

export const MODE_LABELS: Readonly<Record<Mode, string>> = { live: 'live payments', test: 'test payments' };

/** The preselected test event: every shop needs it. */
export const USUAL_TEST_EVENT = 'payment.completed';

export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  sending: 'sending',
  waiting: 'retrying',
  delivered: 'delivered',
  failed: 'abandoned',
};

export const STATE_TONES: Readonly<Record<DeliveryState, Tone>> = {
  sending: 'info',
  waiting: 'warn',
  delivered: 'good',
  failed: 'bad',
};

const FAILURE_WORDS: Readonly<Record<string, string>> = {
  status: 'Your server responded with an error',
  redirect: 'Your server responded with a redirect, which is not followed: enter the final address',
  timeout: 'Your server did not respond in time',
  connection: 'Could not connect to your server',
  tls: 'The certificate of your server is not valid',
  dns: 'Your server’s host name does not resolve',
  blocked: 'Webhooks may not be sent to this address',
  secret_unreadable: 'The endpoint’s secret could not be read; nothing was sent',
  endpoint_gone: 'The endpoint was disabled or deleted; nothing was sent',
  held_back: 'Nearly every delivery failed, so sending was paused for a while',
};

/** An event type in one line; undefined for one that only a newer server than this page knows. */
export function eventMeaning(type: string): string | undefined {
  const meanings: Readonly<Record<string, string>> = EVENT_MEANINGS;
  return meanings[type];
}

/** Why an attempt failed. */
export function failureWords(kind: string, status: number | null): string {
  const words = FAILURE_WORDS[kind] ?? kind;
  return status === null ? words : `${words} (${status})`;
}

/** The same with details of the connection. A status has no further details. */
export function failureSentences(kind: string, status: number | null, detail: string | null): string {
  const words = `${failureWords(kind, status)}.`;
  return status !== null || detail === null || detail === '' ? words : `${words} ${detail.replace(/\.$/, '')}.`;
}

/** The endpoint's description, or its host when it has none. */
export function nameOf({ description, url }: Pick<EndpointInfo, 'description' | 'url'>): string {
  return description === '' ? hostOf(url) : description;
}

/** The result of a delivery's newest attempt, in few words. */
export function lastResponse({ lastStatus, lastFailure, state, attempt }: DeliveryInfo): string {
  if (state === 'delivered') return lastStatus === null ? 'accepted' : String(lastStatus);
  if (attempt === 0) return 'not sent yet';
  return lastStatus === null ? (SHORT[lastFailure ?? ''] ?? lastFailure ?? 'no response yet') : String(lastStatus);
}

// Helpers

const EVENT_MEANINGS: Readonly<Record<WebhookEventType, string>> = {
  'payment.created': 'A payment was created. Most shops do not need it, since they created the payment.',
  'payment.partial': 'Part of the amount was paid in time.',
  'payment.pending': 'The full amount was seen on the network and is being confirmed.',
  'payment.completed': 'Paid and confirmed: you can hand over the goods.',
  'payment.overpaid': 'More was paid than was due.',
  'payment.expired': 'The payment window closed before the full amount arrived.',
  'payment.failed': 'Coins that were seen disappeared or were never confirmed.',
  'payment.paid_late':
    'Coins arrived after the payment window closed, or were confirmed after the payment had failed. Decide what to do.',
  'payment.needs_review': 'Something unexpected happened. Check the payment and decide what to do.',
  'recurring.confirmed': 'A customer confirmed a recurring request.',
  'recurring.payment.completed': 'One payment of a recurring request was paid.',
  'recurring.payment.unpaid': 'One payment of a recurring request was not paid in time.',
  'recurring.stopped': 'A recurring request has ended.',
};

const SHORT: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  connection: 'no connection',
  tls: 'bad certificate',
  dns: 'unknown host name',
  blocked: 'address not allowed',
  secret_unreadable: 'secret unreadable',
  endpoint_gone: 'endpoint gone',
  held_back: 'paused',
};

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
