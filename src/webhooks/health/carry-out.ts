import type { Transaction } from 'kysely';
import type { UnixMs } from '../../../machines/index.ts';
import { type MerchantNotice, notifyMerchantUsers } from '../../mail/index.ts';
import { writeAudit } from '../../merchants/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { disablesAt } from './decide.ts';
import { countBacklog, findLastFailure } from './evidence.ts';
import type { CheckedEndpoint } from './locked-endpoint.ts';
import {
  type DisabledBecause,
  disabledMail,
  type FailingMailInput,
  failingMail,
  recoveredMail,
} from './mail-templates.ts';

/** An endpoint with an action due, its row locked. */
export interface Check {
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
export async function warn(check: Check, warning: number): Promise<void> {
  const { endpoint, since, now } = check;
  const end = endpoint.disablesItself ? disablesAt(since, now) : null;
  const input = await failingMailInput(check, end);
  const noticeId = await notify(check, 'webhook_failing', warning, dataOf(input), failingMail(input));
  await update(check, { open_notice_id: noticeId, notices_sent: warning });
}

/** Disables the endpoint and notifies the merchant. */
export async function disable(check: Check, because: DisabledBecause): Promise<void> {
  const { trx, endpoint, now } = check;
  const input = await failingMailInput(check, null);
  await notify(check, 'webhook_disabled', 0, { ...dataOf(input), because }, disabledMail(input, because));
  await update(check, {
    enabled: false,
    disabled_at: new Date(now),
    disabled_because: because,
    gone_at: null,
    open_notice_id: null,
  });
  const { id: subjectId, merchantId } = endpoint;
  const details = { because };
  await writeAudit({ trx, who: 'service', now }, { merchantId, what: 'webhook_endpoint.disabled', subjectId, details });
}

/** Notifies the merchant that the endpoint works again, and closes the open failure notice. */
export async function notifyRecovered(check: Check, lastSuccessAt: UnixMs): Promise<void> {
  const { trx, endpoint, since } = check;
  const { id: endpointId, host } = endpoint;
  const backlog = await countBacklog(trx, endpointId, since);
  const content = recoveredMail({ host, endpointId, since, lastSuccessAt, backlog });
  await notify(
    check,
    'webhook_recovered',
    0,
    { host, since, last_success: lastSuccessAt, ...counts(backlog) },
    content,
  );
  await update(check, { open_notice_id: null });
}

// Helpers

async function failingMailInput({ trx, endpoint, since }: Check, end: UnixMs | null): Promise<FailingMailInput> {
  const { id: endpointId, host } = endpoint;
  const lastFailure = await findLastFailure(trx, endpointId, since);
  const backlog = await countBacklog(trx, endpointId, since);
  return { host, endpointId, since, lastFailure, backlog, disablesAt: end };
}

/** Data for the dashboard: times in Unix milliseconds. */
function dataOf({ host, since, lastFailure, backlog, disablesAt: end }: FailingMailInput): MerchantNotice['data'] {
  return { host, since, last_failure: lastFailure, ...counts(backlog), disables_at: end };
}

function counts({ waiting, givenUp }: FailingMailInput['backlog']) {
  return { events_waiting: waiting, events_given_up: givenUp };
}

/**
 * Returns the notice's id, derived from its content, so that each warning about each failure period
 * is sent once.
 */
async function notify(
  { trx, endpoint, since, now }: Check,
  kind: NoticeKind,
  warning: number,
  data: MerchantNotice['data'],
  content: MerchantNotice['content'],
): Promise<string> {
  const { id: subjectId, merchantId } = endpoint;
  const id = derivedId('ntc', kind, subjectId, since, warning);
  const setting = 'mailFailingWebhook';
  await notifyMerchantUsers(trx, [{ id, merchantId, kind, setting, subjectId, data, content, at: now }]);
  return id;
}

async function update({ trx, endpoint }: Check, values: EndpointUpdate): Promise<void> {
  await trx.updateTable('webhook_endpoint').set(values).where('id', '=', endpoint.id).execute();
}

interface EndpointUpdate {
  readonly open_notice_id: string | null;
  readonly notices_sent?: number;
  readonly enabled?: boolean;
  readonly disabled_at?: Date;
  readonly disabled_because?: DisabledBecause;
  readonly gone_at?: null;
}
