import type { ScheduleMailInfo } from '../../../../http/console/merchant/recurring/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { MAIL_FAILURES, MAIL_STATES, mailWords } from './schedule-labels.ts';

/**
 * Mails to the customer and whether they were sent. Their text is not shown: its links act in the
 * customer's name.
 */
export function Mails({ mails }: { readonly mails: readonly ScheduleMailInfo[] }) {
  if (mails.length === 0) return <p className="soft">None yet.</p>;
  return (
    <ul className="lines">
      {mails.map((mail) => (
        <li key={`${mail.kind} ${mail.periodNo} ${mail.createdAt}`} className="line">
          <span className="line-main">
            {mailWords(mail)}{' '}
            <span className="soft">
              · <Moment at={mail.sentAt ?? mail.createdAt} />
            </span>
            {mail.failedBecause === null ? null : <span className="soft"> {MAIL_FAILURES[mail.failedBecause]}</span>}
          </span>
          <Badge tone={MAIL_STATES[mail.state].tone}>{MAIL_STATES[mail.state].word}</Badge>
        </li>
      ))}
    </ul>
  );
}
