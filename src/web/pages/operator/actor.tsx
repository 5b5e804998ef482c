import '../../styles/actor.css';
import type { ActorDetail, JournalStep } from '../../../http/console/operations/schemas.ts';
import { useActor, useCharts, useJournal, useMoment } from '../../api/operator.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { Page } from '../../shell/page.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Await } from '../../ui/await.tsx';
import { Badge, toneOf } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Since } from '../../ui/timestamp.tsx';
import { ActorChart } from './actor-chart.tsx';
import { ActorSide } from './actor-side.tsx';
import { FormSwitch } from './chart-form.tsx';
import { Drift } from './drift.tsx';
import { ExportJournal } from './export-journal.tsx';
import { MomentTabs } from './moment-tabs.tsx';
import { Scrubber, useShownStep } from './scrubber.tsx';
import { SendEvent } from './send-event.tsx';
import { Timeline } from './timeline.tsx';

interface ActorPageProps {
  readonly id: string;
  /** Observers can read everything and send nothing. */
  readonly mayAct: boolean;
}

/** One actor: its state, its history, what comes next, and the events that can be sent to it. */
export function ActorPage({ id, mayAct }: ActorPageProps) {
  const actor = useActor(id);
  const journal = useJournal(id);
  return (
    <Page
      title={`Actor ${id}`}
      heading={<Heading id={id} actor={actor.data} />}
      about={subjectOf(actor.data)}
      actions={
        <>
          <FormSwitch />
          <ExportJournal id={id} />
          {mayAct && actor.data !== undefined ? <SendEvent actor={actor.data} /> : null}
        </>
      }
    >
      <Await query={actor} label="Loading the actor" lines={12}>
        {(detail) => (
          <Await query={journal} label="Loading its journal" lines={12}>
            {(steps) => <Story actor={detail} steps={steps} />}
          </Await>
        )}
      </Await>
    </Page>
  );
}

// Helpers

function subjectOf(actor: ActorDetail | undefined) {
  const subject = actor?.subject ?? null;
  return actor === undefined || subject === null ? undefined : <Subject actor={actor} subject={subject} />;
}

function Heading({ id, actor }: { readonly id: string; readonly actor: ActorDetail | undefined }) {
  return (
    <>
      <h1 className="mono wrap actor-id">
        {id}
        <Copy text={id} label="the id" />
      </h1>
      {actor === undefined ? null : (
        <>
          <Badge tone={toneOf(actor.state)}>{actor.state}</Badge>
          <span className="soft">
            since <Since at={actor.since} />
          </span>
          <StateDescription actor={actor} />
          {actor.isSound ? null : <Badge tone="bad">differs from its journal</Badge>}
        </>
      )}
    </>
  );
}

/** What its state means and what it waits for, as the list form of the chart has it. */
function StateDescription({ actor: { kind, state } }: { readonly actor: ActorDetail }) {
  const chart = useCharts().data?.find((one) => one.kind === kind);
  const described = chart?.states.find(({ path }) => path === state);
  if (described === undefined) return null;
  const { description, waitsFor } = described;
  return <span className="soft">{[description, waitsFor === null ? '' : `Waits for ${waitsFor}.`].join(' ')}</span>;
}

interface StoryProps {
  readonly actor: ActorDetail;
  readonly steps: readonly JournalStep[];
}

function Story({ actor, steps }: StoryProps) {
  const { shown, go } = useShownStep(steps);
  const moment = useMoment(actor.id, shown?.sequence ?? null);
  return (
    <div className="actor">
      <div className="actor-main">
        {shown !== undefined && shown !== steps.at(-1) ? (
          <p className="notice notice-info past-notice">
            State at step {shown.sequence}. <Link href={hrefOf('actor', { id: actor.id })}>Back to current state</Link>
          </p>
        ) : null}
        <Drift drift={actor.drift} coin={moment.data?.coin ?? null} />
        <Card className="chart-card">
          <Scrubber steps={steps} shown={shown} go={go} />
          <ActorChart kind={actor.kind} moment={moment.data} />
        </Card>
        <Await query={moment} label="Loading the step" lines={6}>
          {(past) => <MomentTabs moment={past} isOld={moment.isPlaceholderData} />}
        </Await>
      </div>
      <div className="actor-side">
        <ActorSide actor={actor} />
        <Timeline steps={steps} shown={shown} go={go} />
      </div>
    </div>
  );
}

interface SubjectProps {
  readonly actor: Pick<ActorDetail, 'id' | 'kind' | 'merchantId'>;
  readonly subject: NonNullable<ActorDetail['subject']>;
}

/** What an actor is about, in one line: amount, order, merchant, and the page of its customer. */
function Subject({ actor: { id, kind, merchantId }, subject }: SubjectProps) {
  const { merchantName, mode, label } = subject;
  const isPayment = kind === 'transaction';
  return (
    <>
      {mode === 'test' ? <Badge tone="warn">test</Badge> : null} <Price subject={subject} />
      {label === null ? null : `${isPayment ? 'order ' : ''}${label} · `}
      {merchantId === null ? merchantName : <Link href={hrefOf('merchant', { id: merchantId })}>{merchantName}</Link>}
      {isPayment ? (
        <>
          {' · '}
          <a href={`/transaction/${encodeURIComponent(id)}`} target="_blank" rel="noreferrer noopener">
            Payment page
          </a>
        </>
      ) : null}
    </>
  );
}

function Price({ subject }: Pick<SubjectProps, 'subject'>) {
  const { amountFiat, currencyFiat, amountCrypto, crypto } = subject;
  if (amountFiat === null || currencyFiat === null) return null;
  return (
    <>
      <Amount value={amountFiat} currency={currencyFiat} />
      {amountCrypto === null || crypto === null ? null : (
        <>
          {' in '}
          <Amount value={amountCrypto} currency={crypto} />
        </>
      )}
      {' · '}
    </>
  );
}
