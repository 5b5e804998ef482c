import '../../../styles/recurring.css';
import type {
  ScheduleDetail,
  ScheduleEmailInfo,
  ScheduleInfo,
} from '../../../../http/console/merchant/recurring/schemas.ts';
import { useSchedule } from '../../../api/recurring.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { useMode } from '../../../routing/router.ts';
import { BackLink } from '../../../shell/back-link.tsx';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card, type Detail, DetailList } from '../../../ui/card.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { Since } from '../../../ui/values/timestamp.tsx';
import { Decisions } from './decisions.tsx';
import { Periods } from './periods.tsx';
import { EMAIL_STATES, emailWords, INTERVAL_WORDS, MAIL_FAILURES, nextStep, statusWord } from './schedule-labels.ts';
import { TestCustomer } from './test-customer.tsx';
import { When } from './when.tsx';

/** One recurring payment request: its status, what comes next, and its history. */
export function SchedulePage({ id }: { readonly id: string }) {
  const detail = useSchedule(id);
  const title = detail.data?.schedule.description ?? 'Recurring request';
  return (
    <Page
      title={title}
      heading={
        <>
          <BackLink href={hrefOf('schedules', {})} label="All recurring requests" />
          <h1 className="wrap">{title}</h1>
        </>
      }
      actions={detail.data === undefined ? undefined : <Decisions detail={detail.data} />}
    >
      <Await query={detail} label="Loading the recurring request" lines={10}>
        {(found) => <Shown detail={found} />}
      </Await>
    </Page>
  );
}

// Helpers

function Shown({ detail }: { readonly detail: ScheduleDetail }) {
  const { schedule, mails } = detail;
  const isTest = useMode() === 'test';
  const { word, tone } = statusWord(schedule);
  return (
    <div className="recurring-columns">
      <div className="recurring-main">
        <Card>
          <div className="recurring-state" role="status">
            <Badge tone={tone}>{word}</Badge>
            <p>{nextStep(schedule, { emails: mails, isTest })}</p>
          </div>
        </Card>
        <Periods id={schedule.id} hasBegun={schedule.lastPeriodNo > 0} />
      </div>
      <div className="recurring-side">
        {isTest ? <TestCustomer detail={detail} /> : null}
        <Card title="Terms">
          <DetailList items={termsOf(schedule)} />
        </Card>
        <Card title="Emails to the customer">
          <Emails emails={mails} />
        </Card>
      </div>
    </div>
  );
}

function termsOf(schedule: ScheduleInfo): readonly Detail[] {
  const { customerEmail, amount, currency, interval, reference, crypto, startAt, maxPeriods, successUrl } = schedule;
  return [
    ['Customer', customerEmail],
    ['Amount', <Amount key="amount" value={amount} currency={currency} />],
    ['How often', INTERVAL_WORDS[interval]],
    ['Coin', crypto ?? 'the customer chooses'],
    ['Payments', maxPeriods === null ? 'until it is ended' : maxPeriods.toLocaleString('en')],
    startAt === null ? null : ['First payment', <When key="start" at={startAt} />],
    reference === null ? null : ['Your reference', reference],
    successUrl === null ? null : ['After paying', successUrl],
    ['Created', <When key="created" at={schedule.createdAt} />],
    schedule.confirmedAt === null ? null : ['Confirmed', <When key="confirmed" at={schedule.confirmedAt} />],
    schedule.endedAt === null ? null : ['Ended', <When key="ended" at={schedule.endedAt} />],
  ];
}

/**
 * Emails to the customer and whether they were sent. Their text is not shown: its links act in the
 * customer's name.
 */
function Emails({ emails }: { readonly emails: readonly ScheduleEmailInfo[] }) {
  if (emails.length === 0) return <p className="soft">None yet.</p>;
  return (
    <ul className="lines">
      {emails.map((email) => (
        <li key={`${email.kind} ${email.periodNo} ${email.createdAt}`} className="line">
          <span className="line-main">
            {emailWords(email)}{' '}
            <span className="soft">
              · <Since at={email.sentAt ?? email.createdAt} />
            </span>
            {email.failedBecause === null ? null : <span className="soft"> {MAIL_FAILURES[email.failedBecause]}</span>}
          </span>
          <Badge tone={EMAIL_STATES[email.state].tone}>{EMAIL_STATES[email.state].word}</Badge>
        </li>
      ))}
    </ul>
  );
}
