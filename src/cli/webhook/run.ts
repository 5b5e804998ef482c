import { systemClock } from '../../platform/clock.ts';
import { loadConfig, publicUrlOf } from '../../platform/config/index.ts';
import { createEngine, createKindRegistry } from '../../platform/engine/index.ts';
import { createLogger } from '../../platform/log.ts';
import {
  changeEndpoint,
  createDeliveryKind,
  createEndpoint,
  DEFAULT_SUBSCRIPTION,
  deleteEndpoint,
  endpointOnWire,
  listEndpoints,
  readEventType,
  sendTestEvent,
  type WebhookEndpoint,
} from '../../webhooks/index.ts';
import { commandAuthor } from '../author.ts';
import { changing, withMerchant } from '../key/context.ts';
import { issueSecret } from '../key/show-once.ts';
import { usage } from '../options.ts';
import { printResult, tableText, timeText } from '../print.ts';
import type { WebhookValues } from './commands.ts';
import { changesOf, endpointTermsOf, secretJson, secretOf, secretText } from './context.ts';

/**
 * `quittance webhook change`: changes its URL, events, modes, description, auto-disabling or rate
 * limit.
 */
export async function webhookChange(options: WebhookValues['change']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, url, json } = options;
  const changes = { ...changesOf(options), ...(url === null ? {} : { url }) };
  if (Object.keys(changes).length === 0) {
    throw usage(
      'webhook change: pass at least one of --url, --events, --modes, --description, --disables-itself, --disables-on-gone and --max-per-second',
    );
  }
  const { webhooks: urls, plansEnabled } = loadConfig(process.env);
  const { endpoint } = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeEndpoint(change, { urls, plansEnabled }, { merchantId, endpointId, changes })),
  );
  printResult(json, endpointOnWire(endpoint), () => `${endpoint.id} changed`);
}

export async function webhookCreate(options: WebhookValues['create']): Promise<void> {
  const { merchant: merchantName, url, out, json } = options;
  const terms = await endpointTermsOf(loadConfig(process.env));
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    issueSecret(out, (keep) =>
      changing(db, async (change) => {
        const spec = { merchantId, url, events: null, ...changesOf(options) };
        const made = secretOf(await createEndpoint(change, terms, spec));
        await keep(made);
        return made;
      }),
    ),
  );
  printResult(json, secretJson(out, issued), () => `New endpoint ${issued.endpoint_id}\n${secretText(out, issued)}`);
}

/** `quittance webhook enable` and `disable`. */
export async function webhookSwitch(options: WebhookValues['switch'], enabled: boolean): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, json } = options;
  const { webhooks: urls, plansEnabled } = loadConfig(process.env);
  const changes = { enabled };
  const { endpoint } = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeEndpoint(change, { urls, plansEnabled }, { merchantId, endpointId, changes })),
  );
  printResult(json, endpointOnWire(endpoint), () => `${endpoint.id} ${enabled ? 'enabled' : 'disabled'}`);
}

/** `quittance webhook delete`: stops all webhooks to the endpoint, on every process. */
export async function webhookDelete({
  merchant: merchantName,
  endpoint: endpointId,
  json,
}: WebhookValues['delete']): Promise<void> {
  await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => deleteEndpoint(change, { merchantId, endpointId })),
  );
  printResult(json, { endpoint_id: endpointId, deleted: true }, () => `${endpointId} deleted`);
}

/** `quittance webhook list`: every endpoint of a merchant; never their secrets. */
export async function webhookList({ merchant, json }: WebhookValues['list']): Promise<void> {
  const endpoints = await withMerchant(merchant, (db, { id }) => listEndpoints(db, id));
  printResult(json, { endpoints: endpoints.map(endpointOnWire) }, () =>
    endpoints.length === 0 ? `"${merchant}" has no webhook endpoints.` : tableText(HEADINGS, endpoints.map(toRow)),
  );
}

/**
 * `quittance webhook test`: starts the delivery of a sample event. This process sends nothing: a
 * worker of a running service takes the attempt from the outbox within 10 seconds.
 */
export async function webhookTest(options: WebhookValues['test']): Promise<void> {
  const { merchant: merchantName, endpoint: endpointId, json } = options;
  const event = readEventType(options.event);
  const config = loadConfig(process.env);
  // Standard output is reserved for the result.
  const log = createLogger({ level: 'warn', destination: process.stderr });
  const sent = await withMerchant(merchantName, async (db, { id: merchantId }) => {
    const engine = createEngine({ db, kinds: createKindRegistry([createDeliveryKind()]), clock: systemClock, log });
    const publicUrl = publicUrlOf(config, config.port);
    const input = { merchantId, endpointId, event, author: commandAuthor() };
    return sendTestEvent({ db, engine, clock: systemClock, publicUrl }, input);
  });
  const { deliveryId, eventId } = sent;
  printResult(
    json,
    { delivery_id: deliveryId, event_id: eventId, event },
    () => `A sample of ${event} is queued for ${endpointId} as delivery ${deliveryId}; the running service sends it`,
  );
}

// Helpers

const HEADINGS = ['ENDPOINT', 'URL', 'EVENTS', 'STATE', 'DESCRIPTION'];

function toRow(endpoint: WebhookEndpoint): string[] {
  const { id, url, events, description } = endpoint;
  const isDefault = events.length === DEFAULT_SUBSCRIPTION.length && !events.includes('payment.created');
  return [
    id,
    url,
    isDefault ? 'default' : events.join(','),
    stateText(endpoint),
    description === '' ? '-' : description,
  ];
}

const DISABLED = { merchant: 'disabled', failing: 'disabled after failures', gone: 'disabled after 410 Gone' } as const;

function stateText({ enabled, disabledAt, disabledBecause, failingSince }: WebhookEndpoint): string {
  if (!enabled) {
    const why = DISABLED[disabledBecause ?? 'merchant'];
    return disabledAt === null ? why : `${why} since ${timeText(disabledAt)}`;
  }
  return failingSince === null ? 'enabled' : `failing since ${timeText(failingSince)}`;
}
