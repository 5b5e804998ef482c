import { DEFAULT_SUBSCRIPTION, endpointOnWire, listEndpoints, type WebhookEndpoint } from '../../webhooks/index.ts';
import { withMerchant } from '../key/context.ts';
import { printResult, tableText, timeText } from '../print.ts';
import type { WebhookValues } from './commands.ts';

/** `quittance webhook list`: every endpoint of a merchant; never their secrets. */
export async function webhookList({ merchant, json }: WebhookValues['list']): Promise<void> {
  const endpoints = await withMerchant(merchant, (db, { id }) => listEndpoints(db, id));
  printResult(json, { endpoints: endpoints.map(endpointOnWire) }, () =>
    endpoints.length === 0 ? `"${merchant}" has no webhook endpoints.` : tableText(HEADINGS, endpoints.map(toRow)),
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
