import { DAY_MS, HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { EmailContent } from '../../mail/index.ts';
import { derivedId } from '../../platform/ids.ts';
import { disabledEmail, failingEmail, recoveredEmail } from './email-templates.ts';
import type { NoticeKind } from './execute.ts';

/** Content of a notice about an endpoint that does not exist; `now` is when it is sent. */
export function sampleEndpointEmail(kind: NoticeKind, now: UnixMs): Pick<EmailContent, 'subject' | 'blocks'> {
  const endpoint = { host: 'shop.example', endpointId: derivedId('whk', 'sample'), since: now - 5 * HOUR_MS };
  const backlog = { waiting: 7, givenUp: 0 };
  const lastFailure = { kind: 'status', detail: '503', at: now - HOUR_MS };
  switch (kind) {
    case 'webhook_failing':
      return failingEmail({ ...endpoint, backlog, lastFailure, disablesAt: now + 5 * DAY_MS });
    case 'webhook_disabled':
      return disabledEmail({ ...endpoint, backlog, lastFailure, disablesAt: null }, 'failing');
    case 'webhook_recovered':
      return recoveredEmail({ ...endpoint, backlog, lastSuccessAt: now });
  }
}
