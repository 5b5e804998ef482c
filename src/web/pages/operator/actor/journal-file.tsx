import { useState } from 'react';
import type { OfflineJournal } from '../../../../http/console/operator/schemas.ts';
import { useReadJournalFile } from '../../../api/merchants.ts';
import { useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Badge, toneOf } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Loading } from '../../../ui/progress.tsx';
import { FormSwitch } from '../charts/chart-form.tsx';
import { ActorChart } from './actor-chart.tsx';
import { ActorLayout } from './actor-layout.tsx';
import { Drift } from './drift.tsx';
import { DropFile } from './drop-file.tsx';
import { Scrubber, useShownStep } from './scrubber.tsx';
import { StepTabs } from './step-tabs.tsx';
import { Timeline } from './timeline.tsx';

/**
 * The history of an actor of another installation, or of another time, from a journal file. Nothing
 * of it is stored.
 */
export function JournalFilePage() {
  const read = useReadJournalFile();
  const setQuery = useSetSearchParams();
  // The selected step of the previous journal means nothing in the next one.
  const open = (file: unknown) => {
    setQuery(
      { at: undefined, pick: undefined, transition: undefined, event: undefined, source: undefined },
      { replaces: true },
    );
    read.mutate(file);
  };
  const [problem, setProblem] = useState<string | null>(null);
  const journal = read.data;
  return (
    <Page
      title="Open a journal file"
      about="Shows an actor’s journal exported as JSON, here or elsewhere. It is replayed on this service’s charts and not stored."
      actions={
        journal === undefined ? undefined : (
          <>
            <FormSwitch />
            <Button onClick={() => read.reset()}>Another file</Button>
          </>
        )
      }
    >
      {problem === null ? null : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <Problem error={read.error} />
      {read.isPending ? <Loading label="Replaying the journal" lines={10} /> : null}
      {journal === undefined ? (
        <DropFile
          take={(file) => {
            setProblem(null);
            open(file);
          }}
          reject={setProblem}
        />
      ) : (
        <JournalView journal={journal} />
      )}
    </Page>
  );
}

// Helpers

function JournalView({ journal }: { readonly journal: OfflineJournal }) {
  const { steps, stepDetails, kind } = journal;
  const { shown, go } = useShownStep(steps);
  const stepDetail = stepDetails.find(({ step }) => step.sequence === shown?.sequence);
  return (
    <ActorLayout
      kind={kind}
      notices={<Drift drift={journal.drift} coin={stepDetail?.coin ?? null} />}
      scrubber={<Scrubber steps={steps} shown={shown} go={go} />}
      chart={<ActorChart kind={kind} stepDetail={stepDetail} />}
      changes={stepDetail === undefined ? null : <StepTabs stepDetail={stepDetail} isOld={false} />}
      side={
        <Card>
          <DetailList items={detailsOf(journal)} />
        </Card>
      }
      journal={<Timeline steps={steps} shown={shown} go={go} />}
    />
  );
}

function detailsOf({ actorId, kind, steps, isSound }: OfflineJournal) {
  const state = steps.at(-1)?.state ?? '';
  return [
    [
      'Actor',
      <span key="id" className="mono wrap">
        {actorId}
      </span>,
    ],
    ['Chart', kind],
    [
      'Final state',
      <Badge key="state" tone={toneOf(state)}>
        {state}
      </Badge>,
    ],
    ['Steps', steps.length.toLocaleString('en')],
    [
      'Journal',
      isSound ? (
        'consistent with its state'
      ) : (
        <Badge key="sound" tone="bad">
          differs from its state
        </Badge>
      ),
    ],
  ] as const;
}
