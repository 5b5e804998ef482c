import type { IncomingHttpHeaders } from 'node:http';
import type { Kysely } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { verifyWebhook, WebhookError } from '../../client/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { isLoopbackHost, listEndpoints, openEndpointSecret } from '../../webhooks/index.ts';
import { RECEIVER_PATH } from './demo-webhooks.ts';

/** A request to the demo's receiver. What is not verified may be any text. */
export interface ReceivedWebhook {
  readonly at: UnixMs;
  /** Null when the body has none. */
  readonly event: string | null;
  readonly transactionId: string | null;
  readonly body: string;
  /** Why the signature is invalid; null when it is valid. */
  readonly problem: string | null;
}

export interface ReceivedWebhooks {
  /** Verifies a request to the demo shop's receiver and keeps it. Returns the verdict. */
  receive(merchantId: string, rawBody: Uint8Array, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Newest first, at most 20. */
  list(): readonly ReceivedWebhook[];
}

const SHOWN_WEBHOOKS = 20;

/** Requests to the demo's receiver, in memory only. */
export function createReceivedWebhooks(deps: {
  db: Kysely<Database>;
  secretBox: SecretBox;
  clock: Clock;
}): ReceivedWebhooks {
  const { db, secretBox, clock } = deps;
  let received: readonly ReceivedWebhook[] = [];

  /** The secret of the endpoint named in the request, if its URL leads here. */
  async function secretFor(merchantId: string, endpointId: unknown): Promise<string | null> {
    const leading = (await listEndpoints(db, merchantId)).filter(({ url }) => isReceiverUrl(url));
    const endpoint = leading.find(({ id }) => id === endpointId) ?? leading[0];
    return endpoint === undefined ? null : openEndpointSecret(db, secretBox, { merchantId, endpointId: endpoint.id });
  }

  async function problemOf(
    merchantId: string,
    rawBody: Uint8Array,
    headers: IncomingHttpHeaders,
  ): Promise<string | null> {
    const secret = await secretFor(merchantId, headers['x-webhook-id']);
    if (secret === null) return 'The demo shop has no webhook endpoint with this URL.';
    try {
      verifyWebhook(rawBody, headers, secret, { mode: 'test', now: clock.now });
      return null;
    } catch (error) {
      if (error instanceof WebhookError) return error.message;
      throw error;
    }
  }

  return {
    async receive(merchantId, rawBody, headers) {
      const problem = await problemOf(merchantId, rawBody, headers);
      const body = Buffer.from(rawBody).toString('utf8');
      const entry = { at: clock.now(), ...fieldsOf(body), body, problem };
      received = [entry, ...received].slice(0, SHOWN_WEBHOOKS);
      return problem === null;
    },
    list: () => received,
  };
}

/** Whether an endpoint's URL leads to the receiver of a demo, at whichever port that ran. */
export function isReceiverUrl(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return isLoopbackHost(hostname) && pathname === RECEIVER_PATH;
}

// Helpers

/** The service never sends longer text. */
const MAX_FIELD_CHARACTERS = 100;

function fieldsOf(body: string): Pick<ReceivedWebhook, 'event' | 'transactionId'> {
  const fields = parse(body);
  return { event: textOf(fields.event), transactionId: textOf(fields.transaction_id) };
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body));
  } catch {
    // A forged body may be anything.
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_FIELD_CHARACTERS) : null;
}
