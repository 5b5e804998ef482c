import type { SystemHealth } from '../../../../http/console/operator/schemas.ts';
import { useHealth } from '../../../api/health.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { Alerts } from './alerts.tsx';
import { NOT_DELIVERED } from './items-to-check.ts';
import { Networks } from './networks.tsx';
import { SetupGaps } from './setup-gaps.tsx';
import { ToCheck, ToCheckInTestMode } from './to-check.tsx';

/** First page of operators: what they should check, then everything the actors depend on. */
export function HealthPage({ mayAct }: { readonly mayAct: boolean }) {
  const health = useHealth();
  return (
    <Page title="Health">
      <Await query={health} label="Loading health" lines={12}>
        {(data) => (
          <>
            <ToCheck health={data} />
            <Alerts alerts={data.alerts} testAlerts={data.testAlerts} mayAct={mayAct} />
            <SetupGaps missing={data.missing} />
            <ToCheckInTestMode health={data} />
            <div className="columns-2">
              <Networks chains={data.chains} />
              <Work health={data} />
              <Rates rates={data.rates} />
            </div>
          </>
        )}
      </Await>
    </Page>
  );
}

// Helpers

function Work({ health }: { readonly health: SystemHealth }) {
  const { bus, outbox, mails } = health;
  return (
    <Card id="work" title="Work">
      <DetailList
        items={[
          ['Bus', <Verdict key="bus" isGood={bus.responds} words={bus.responds ? 'connected' : 'not connected'} />],
          ['Messages on the bus', <Messages key="messages" waiting={bus.waiting} />],
          [NOT_DELIVERED, <Waiting key="outbox" count={outbox.waiting} since={outbox.oldestAt} />],
          ['Emails waiting', mails.waiting.toLocaleString('en')],
          [
            'Emails failed',
            <Verdict key="mails" isGood={mails.failed === 0} words={mails.failed.toLocaleString('en')} />,
          ],
        ]}
      />
    </Card>
  );
}

function Rates({ rates }: Pick<SystemHealth, 'rates'>) {
  return (
    <Card id="rates" title="Rate sources">
      {rates.length === 0 ? <EmptyState title="No rate sources" /> : null}
      <ul className="lines">
        {rates.map(({ source, succeededAt, failedAt, failure }) => {
          const isGood = failedAt === null || (succeededAt !== null && succeededAt > failedAt);
          return (
            <li key={source} className="line">
              <div className="line-main">
                <p>
                  <strong>{source}</strong> <Badge tone={isGood ? 'good' : 'bad'}>{isGood ? 'OK' : 'Failing'}</Badge>
                </p>
                {failure === null ? null : <p className="soft wrap">{failure}</p>}
              </div>
              <span className="soft">{succeededAt === null ? 'never' : <Timestamp at={succeededAt} />}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Verdict({ isGood, words }: { readonly isGood: boolean; readonly words: string }) {
  return <Badge tone={isGood ? 'good' : 'bad'}>{words}</Badge>;
}

function Messages({ waiting }: Pick<SystemHealth['bus'], 'waiting'>) {
  if (waiting.length === 0) return 'none';
  return waiting.map(({ queue, count }) => `${count.toLocaleString('en')} for ${queue}`).join(', ');
}

function Waiting({ count, since }: { readonly count: number; readonly since: number | null }) {
  if (count === 0) return 'none';
  return (
    <>
      <Badge tone="quiet">{count.toLocaleString('en')}</Badge>
      {since === null ? null : (
        <>
          {' '}
          since <Timestamp at={since} />
        </>
      )}
    </>
  );
}
