import { HOUR_MS } from '../../../machines/index.ts';
import { emailOwners } from '../../accounts/index.ts';
import type { AuditedChange } from '../../merchants/index.ts';
import { derivedId } from '../../platform/ids.ts';
import type { WebhookEndpoint } from './endpoint.ts';

type EndpointChange = 'added' | 'changed' | 'deleted' | 'secret';

/**
 * Emails the owners, in its commit, what changed about a webhook endpoint. The same change by the
 * same author is emailed once an hour; one with another result is a separate email, so that a
 * thief's change is not hidden behind one of the shop's own program. With `before`, nothing is
 * emailed when the endpoint still receives the same events at the same URL.
 */
export async function emailEndpointChange(
  change: AuditedChange,
  endpoint: WebhookEndpoint,
  { what, before }: { readonly what: EndpointChange; readonly before?: WebhookEndpoint },
): Promise<void> {
  const { id, merchantId, url } = endpoint;
  const result = receptionOf(endpoint);
  if (before !== undefined && receptionOf(before) === result) return;
  const { who, now } = change;
  const { host } = new URL(url);
  await emailOwners(change, {
    merchantId,
    about: `webhook_endpoint:${what}:${id}:${Math.floor(now / HOUR_MS)}:${who}:${result}`,
    content: {
      subject: SUBJECTS[what](host),
      blocks: [
        { kind: 'paragraph', text: WHAT_HAPPENED[what](host) },
        {
          kind: 'details',
          details: [
            ['Endpoint', id],
            ['Changed by', who],
          ],
        },
        { kind: 'paragraph', text: `If that was you, no action is needed. If not, ${REMEDIES[what]}.` },
      ],
    },
  });
}

// Helpers

/** A hash of what it receives and where: a URL may contain a secret. */
function receptionOf({ id, url, events, modes, enabled }: WebhookEndpoint): string {
  return derivedId('req', id, url, events.join(), modes.join(), String(enabled));
}

const SUBJECTS: { readonly [C in EndpointChange]: (host: string) => string } = {
  added: (host) => `A webhook endpoint was added: ${host}`,
  changed: (host) => `The webhook endpoint at ${host} was changed`,
  deleted: (host) => `The webhook endpoint at ${host} was deleted`,
  secret: (host) => `The webhook secret of ${host} was changed`,
};

const WHAT_HAPPENED: { readonly [C in EndpointChange]: (host: string) => string } = {
  added: (host) => `Your shop has a new webhook endpoint at ${host}. It receives your events.`,
  changed: (host) => `Your webhook endpoint was changed. It is now at ${host}.`,
  deleted: (host) => `Your webhook endpoint at ${host} was deleted. It receives nothing more.`,
  secret: (host) => `Your webhook endpoint at ${host} has a new secret.`,
};

const REMEDIES: { readonly [C in EndpointChange]: string } = {
  added: 'delete the endpoint and revoke the API key that added it',
  changed: 'restore the endpoint and revoke the API key that changed it',
  deleted: 'revoke the API key that deleted it, add the endpoint again and replay what it missed',
  secret: 'regenerate the secret and revoke the API key or end the sessions that were used',
};
