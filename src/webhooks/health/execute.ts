import type { Transaction, Updateable } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import { writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { disablesAt } from './decide.ts';
import {
  type DisabledBecause,
  disabledEmail,
  type FailingEmailInput,
  failingEmail,
  recoveredEmail,
} from './email-templates.ts';
import { countBacklog, findLastFailure } from './evidence.ts';
import type { CheckedEndpoint } from './locked-endpoint.ts';

/** An endpoint with an action due, its row locked. */
export interface EndpointCheck {
  readonly trx: Transaction<Database>;
  readonly endpoint: CheckedEndpoint;
  /** When the failures in question began. */
  readonly since: UnixMs;
  readonly now: UnixMs;
}

export type NoticeKind = 'webhook_failing' | 'webhook_disabled' | 'webhook_recovered';

/**
 * Notifies the merchant that the endpoint fails. `warning`: position in `WARN_AFTER_MS`, from 1.
 */
export async function warn(check: EndpointCheck, warning: number): Promise<void> {
  const { endpoint, since, now } = check;
  const end = endpoint.disablesItself ? disablesAt(since, now) : null;
  const input = await failingEmailInput(check, end);
  await notify(check, 'webhook_failing', warning, failingEmail(input));
  await update(check, { warned_at: new Date(now), warned_since: new Date(since), notices_sent: warning });
}

/** Disables the endpoint and notifies the merchant. */
export async function disable(check: EndpointCheck, because: DisabledBecause): Promise<void> {
  const { trx, endpoint, now } = check;
  const input = await failingEmailInput(check, null);
  await notify(check, 'webhook_disabled', 0, disabledEmail(input, because));
  await update(check, {
    enabled: false,
    disabled_at: new Date(now),
    disabled_because: because,
    gone_at: null,
    ...NO_WARNING,
  });
  const { id: subjectId, merchantId } = endpoint;
  const details = { because };
  await writeAudit({ trx, who: 'service', now }, { merchantId, what: 'webhook_endpoint.disabled', subjectId, details });
}

/** Notifies the merchant that the endpoint works again, and clears the open warning. */
export async function notifyRecovered(check: EndpointCheck, lastSuccessAt: UnixMs): Promise<void> {
  const { trx, endpoint, since } = check;
  const { id: endpointId, host } = endpoint;
  const backlog = await countBacklog(trx, endpointId, since);
  const content = recoveredEmail({ host, endpointId, since, lastSuccessAt, backlog });
  await notify(check, 'webhook_recovered', 0, content);
  await update(check, NO_WARNING);
}

// Helpers

async function failingEmailInput(
  { trx, endpoint, since }: EndpointCheck,
  end: UnixMs | null,
): Promise<FailingEmailInput> {
  const { id: endpointId, host } = endpoint;
  const lastFailure = await findLastFailure(trx, endpointId, since);
  const backlog = await countBacklog(trx, endpointId, since);
  return { host, endpointId, since, lastFailure, backlog, disablesAt: end };
}

const NO_WARNING = { warned_at: null, warned_since: null } as const;

/** The id of the notice is derived, so that each warning about each failure period is sent once. */
async function notify(
  { trx, endpoint, since, now }: EndpointCheck,
  kind: NoticeKind,
  warning: number,
  content: MerchantNotice['content'],
): Promise<void> {
  const id = derivedId('ntc', kind, endpoint.id, since, warning);
  const { merchantId } = endpoint;
  await notifyMerchantUsers(trx, [{ id, merchantId, setting: 'mailFailingWebhook', content, at: now }]);
}

async function update(
  { trx, endpoint }: EndpointCheck,
  values: Updateable<Database['webhook_endpoint']>,
): Promise<void> {
  await trx.updateTable('webhook_endpoint').set(values).where('id', '=', endpoint.id).execute();
}
