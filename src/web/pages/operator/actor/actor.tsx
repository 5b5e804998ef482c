import { useMutation } from '@tanstack/react-query';
import type { ActorDetail, JournalStep } from '../../../../http/console/operator/schemas.ts';
import { fetchJournalFile, fetchJournalTest, useActor, useJournal, useStepDetail } from '../../../api/operator.ts';
import { RequestFailure } from '../../../api/request.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { toastError } from '../../../ui/problem.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { ClockAhead } from '../../../ui/values/timestamp.tsx';
import { FormSwitch } from '../charts/chart-form.tsx';
import { ActorChart } from './actor-chart.tsx';
import { ActorHeading, ActorSubject } from './actor-heading.tsx';
import { ActorLayout } from './actor-layout.tsx';
import { ActorProblems } from './actor-problems.tsx';
import { ActorSide } from './actor-side.tsx';
import { Drift } from './drift.tsx';
import { Scrubber, type ScrubberProps, useShownStep } from './scrubber.tsx';
import { SendEvent } from './send-event.tsx';
import { StepTabs } from './step-tabs.tsx';
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
  const known = journal.data ?? [];
  const { shown } = useShownStep(known);
  const subject = actor.data?.subject ?? null;
  if (actor.error instanceof RequestFailure && actor.error.status === 404) return <NoActor id={id} />;
  return (
    <Page
      title={`Actor ${id}`}
      heading={<ActorHeading id={id} actor={actor.data} isPast={isPast(known, shown)} />}
      about={
        actor.data === undefined || subject === null ? undefined : <ActorSubject actor={actor.data} subject={subject} />
      }
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
          <>
            <ActorProblems actor={detail} mayAct={mayAct} />
            <Await query={journal} label="Loading its journal" lines={12}>
              {(steps) => <ActorJournal actor={detail} steps={steps} />}
            </Await>
          </>
        )}
      </Await>
    </Page>
  );
}

// Helpers

function NoActor({ id }: { readonly id: string }) {
  return (
    <Page title="Actor not found">
      <EmptyState title={`No actor has the id ${id}`}>
        <Link href={hrefOf('actors', {})}>View all actors</Link>
      </EmptyState>
    </Page>
  );
}

interface ActorJournalProps {
  readonly actor: ActorDetail;
  readonly steps: readonly JournalStep[];
}

function ActorJournal({ actor, steps }: ActorJournalProps) {
  const { shown, go } = useShownStep(steps);
  const stepDetail = useStepDetail(actor.id, shown?.sequence ?? null);
  return (
    <ActorLayout
      kind={actor.kind}
      notices={
        <>
          <PastNotice steps={steps} shown={shown} go={go} />
          <Drift drift={actor.drift} coin={stepDetail.data?.coin ?? null} />
        </>
      }
      scrubber={<Scrubber steps={steps} shown={shown} go={go} />}
      chart={<ActorChart kind={actor.kind} stepDetail={stepDetail.data} />}
      changes={
        <Await query={stepDetail} label="Loading the step" lines={6}>
          {(past) => (
            <ClockAhead value={actor.clockOffsetMs}>
              <StepTabs stepDetail={past} isOld={stepDetail.isPlaceholderData} />
            </ClockAhead>
          )}
        </Await>
      }
      side={<ActorSide actor={actor} isPast={isPast(steps, shown)} />}
      journal={
        <ClockAhead value={actor.clockOffsetMs}>
          <Timeline steps={steps} shown={shown} go={go} />
        </ClockAhead>
      }
    />
  );
}

/** Whether the page shows the actor as of an earlier step than its last. */
function isPast(steps: readonly JournalStep[], shown: JournalStep | undefined): boolean {
  return shown !== undefined && shown !== steps.at(-1);
}

/** Says which earlier step the page shows; nothing at the last one. */
function PastNotice({ steps, shown, go }: ScrubberProps) {
  const newest = steps.at(-1);
  if (shown === undefined || newest === undefined || shown === newest) return null;
  return (
    <div className="notice notice-info past-notice">
      <span>
        Viewing step {steps.indexOf(shown) + 1} of {steps.length}: <strong className="wrap">{shown.state}</strong>.
      </span>
      <Button onClick={() => go(newest)}>Back to now</Button>
    </div>
  );
}

/**
 * Downloads the whole journal: as a file to open in another installation, or as a test that replays
 * it.
 */
function ExportJournal({ id }: { readonly id: string }) {
  const save = useMutation({
    mutationFn: async (form: 'json' | 'test') => {
      const name = id.replaceAll(/[^\w-]+/g, '-');
      if (form === 'json')
        saveFile(`${name}.journal.json`, new Blob([JSON.stringify(await fetchJournalFile(id), null, 2)]));
      else saveFile(`${name}.test.ts`, new Blob([await fetchJournalTest(id)]));
    },
    onError: toastError,
  });
  return (
    <>
      <Button isBusy={save.isPending && save.variables === 'json'} onClick={() => save.mutate('json')}>
        Export
      </Button>
      <Button isBusy={save.isPending && save.variables === 'test'} onClick={() => save.mutate('test')}>
        Export as a test
      </Button>
    </>
  );
}
