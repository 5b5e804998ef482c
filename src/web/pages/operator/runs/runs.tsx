import '../../../styles/actor.css';
import type { Run } from '../../../../http/console/operator/schemas.ts';
import { type RunStep, useCharts, useRuns, useStepRun } from '../../../api/operator.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { toastError } from '../../../ui/problem.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { filterIn, filterWords } from '../actors/actor-filter.ts';
import { PlanRun } from './plan-run.tsx';

/** Bulk runs: planned first, then started; they can be stopped at any time. */
export function RunsPage({ mayAct }: { readonly mayAct: boolean }) {
  const runs = useRuns();
  const charts = useCharts();
  const query = useSearchParams();
  const isPlanning = mayAct && query.get('stage') !== null;
  const close = () => navigate(hrefOf('runs', {}), { replaces: true });
  return (
    <Page
      title="Bulk runs"
      about="Planning a run lists every actor it would reach and sends nothing. Actors that change state before they are processed are skipped."
      actions={
        mayAct ? (
          <Link className="button button-main" href={hrefOf('actors', {})}>
            Choose actors
          </Link>
        ) : undefined
      }
    >
      <Await query={runs} label="Loading runs" lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState title="No run yet">Filter the list of actors, then send an event to all of them.</EmptyState>
            </Card>
          ) : (
            all.map((run) => <RunCard key={run.id} run={run} mayAct={mayAct} />)
          )
        }
      </Await>
      <Dialog title="Plan a run" isWide isOpen={isPlanning && charts.data !== undefined} close={close}>
        <PlanRun filter={filterIn(query, charts.data?.[0]?.kind ?? '')} close={close} />
      </Dialog>
    </Page>
  );
}

// Helpers

const STATE_TONES: Readonly<Record<Run['state'], Tone>> = {
  planned: 'info',
  running: 'warn',
  paused: 'warn',
  cancelled: 'quiet',
  done: 'good',
};
const STEPS: Readonly<Record<Run['state'], readonly RunStep[]>> = {
  planned: ['start', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['start', 'cancel'],
  cancelled: [],
  done: [],
};
const STEP_WORDS: Readonly<Record<RunStep, string>> = { start: 'Start', pause: 'Pause', cancel: 'Cancel' };

function RunCard({ run, mayAct }: { readonly run: Run; readonly mayAct: boolean }) {
  const step = useStepRun();
  const outcomes = Object.entries(run.outcomes);
  const done = outcomes.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Card
      title={
        <>
          {run.task.what === 'send_event' ? <code>{run.task.type}</code> : 'Retry dead letters'}{' '}
          <Badge tone={STATE_TONES[run.state]}>{run.state}</Badge>
        </>
      }
      actions={
        mayAct ? (
          <div className="button-row">
            {STEPS[run.state].map((name) => (
              <Button
                key={name}
                variant={name === 'cancel' ? 'danger' : name === 'start' ? 'main' : 'plain'}
                isBusy={step.isPending && step.variables.step === name}
                onClick={() => step.mutate({ id: run.id, step: name }, { onError: toastError })}
              >
                {run.state === 'paused' && name === 'start' ? 'Resume' : STEP_WORDS[name]}
              </Button>
            ))}
          </div>
        ) : undefined
      }
    >
      <div className="form">
        <p className="wrap">
          {whomOf(run)}
          <span className="soft">: {run.reason}</span>
        </p>
        <Progress label="Done" done={done} total={run.total} />
        <p className="run-foot soft">
          <span>
            {outcomes
              .map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome.replaceAll('_', ' ')}`)
              .join(', ')}
          </span>
          <span>
            planned <Timestamp at={run.createdAt} />
          </span>
        </p>
      </div>
    </Card>
  );
}

function whomOf({ task, filter }: Run): string {
  if (filter !== null) return filterWords(filter);
  const queue = task.what === 'retry_dead_letter' ? task.queue : undefined;
  return queue === undefined ? 'All open dead letters' : `Open dead letters of ${queue}`;
}
