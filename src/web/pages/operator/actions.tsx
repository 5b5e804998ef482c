import '../../styles/operator.css';
import { useState } from 'react';
import type { ListedAction } from '../../../http/console/operator/schemas.ts';
import { useActions } from '../../api/merchants.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { useSearchParams } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { DetailList } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { SearchField } from '../../ui/lists/search-field.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { JsonTree } from '../../ui/values/json-tree.tsx';
import { ShortId } from '../../ui/values/short-id.tsx';
import { FullTimestamp, Timestamp } from '../../ui/values/timestamp.tsx';
import { Dialog } from '../../ui/windows/dialog.tsx';
import { ListCard, openColumn } from '../list-card.tsx';

export function ActionsPage() {
  const who = useSearchParams().get('who') ?? '';
  const actions = useActions(who);
  const [opened, setOpened] = useState<ListedAction | null>(null);
  return (
    <Page title="Operator log" about="Every manual action, with its reason. Entries cannot be changed or deleted.">
      <search className="filters">
        <SearchField className="filters-wide" name="who" label="Who" placeholder="Email of an operator" />
      </search>
      <ListCard
        query={actions}
        loading="Loading the operator log"
        lines={8}
        label="Operator actions"
        isOld={actions.isPlaceholderData}
        rowsOf={({ pages }) => pages.flatMap((page) => page.actions)}
        keyOf={({ requestId }) => requestId}
        columns={columnsFor(setOpened)}
        empty={
          <EmptyState title="No actions">
            {who === '' ? (
              'Sent events, retried dead letters and changed plans appear here.'
            ) : (
              <Link href={hrefOf('actions', {})}>Show actions of all users</Link>
            )}
          </EmptyState>
        }
      />
      <Dialog
        title={opened === null ? 'Action' : ACTION_LABELS[opened.what]}
        isWide
        isOpen={opened !== null}
        close={() => setOpened(null)}
      >
        {opened === null ? null : <ActionDetails action={opened} />}
      </Dialog>
    </Page>
  );
}

// Helpers

const ACTION_LABELS: Readonly<Record<ListedAction['what'], string>> = {
  'event.sent': 'Sent an event',
  'events.planned': 'Planned events for many',
  'dead_letter.retried': 'Retried a dead letter',
  'dead_letter.dismissed': 'Dismissed a dead letter',
  'dead_letters.retry_planned': 'Planned a retry of dead letters',
  'run.started': 'Started a run',
  'run.paused': 'Paused a run',
  'run.cancelled': 'Cancelled a run',
  'plan.changed': 'Changed a plan',
  'merchant.plan_assigned': 'Assigned a plan to a merchant',
  'merchant.approved': 'Approved a merchant',
  'secrets.resealed': 'Re-encrypted stored secrets',
  'network.rescanned': 'Rescanned blocks',
  'restore.finished': 'Finished restoring a backup',
  'actors.migrated': 'Moved actors to another version',
  'image.removed': 'Removed an image',
  'alert.resolved': 'Resolved an alert',
};

const OUTCOME_TONES: Readonly<Record<string, Tone>> = {
  applied: 'good',
  settled: 'good',
  done: 'good',
  planned: 'info',
  ignored: 'quiet',
  failed: 'bad',
  stale: 'warn',
};

function columnsFor(open: (action: ListedAction) => void): readonly Column<ListedAction>[] {
  return [
    { id: 'at', title: 'When', cell: ({ requestedAt }) => <Timestamp at={requestedAt} /> },
    { id: 'what', title: 'Action and reason', isCut: true, cell: (action) => <WhatAndWhy action={action} /> },
    { id: 'who', title: 'Who', isSecondary: true, cell: ({ who }) => <Person who={who} /> },
    { id: 'subject', title: 'Subject', isSecondary: true, cell: (action) => <Subject action={action} /> },
    { id: 'outcome', title: 'Outcome', isSecondary: true, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    openColumn({ title: 'Details', label: ({ what, reason }) => `View: ${ACTION_LABELS[what]}, ${reason}`, open }),
  ];
}

function WhatAndWhy({ action: { what, reason } }: { readonly action: ListedAction }) {
  return (
    <>
      {ACTION_LABELS[what]} <span className="soft">{reason}</span>
    </>
  );
}

function Person({ who }: Pick<ListedAction, 'who'>) {
  const name = who.email ?? who.userId;
  return <Link href={hrefOf('actions', {}, { who: name })}>{name}</Link>;
}

/** Links to the subject of the action, if it has a page. A resolved dead letter has none. */
function Subject({ action: { what, subjectId } }: { readonly action: ListedAction }) {
  switch (what) {
    case 'event.sent':
      return <Named noun="actor" id={subjectId} href={hrefOf('actor', { id: subjectId })} />;
    case 'merchant.plan_assigned':
    case 'merchant.approved':
      return <Named noun="merchant" id={subjectId} href={hrefOf('merchant', { id: subjectId })} />;
    case 'plan.changed':
      return <Link href={hrefOf('plans', {})}>{subjectId}</Link>;
    case 'events.planned':
    case 'dead_letters.retry_planned':
    case 'run.started':
    case 'run.paused':
    case 'run.cancelled':
      return <Named noun="run" id={subjectId} href={hrefOf('runs', {})} />;
    case 'dead_letter.retried':
    case 'dead_letter.dismissed':
      return <Named noun="letter" id={subjectId} />;
    case 'secrets.resealed':
    case 'network.rescanned':
    case 'restore.finished':
    case 'actors.migrated':
      return subjectId;
    case 'image.removed':
      return <Named noun="image" id={subjectId} />;
    case 'alert.resolved':
      return `alert ${subjectId}`;
  }
}

function Named({ noun, id, href }: { readonly noun: string; readonly id: string; readonly href?: string }) {
  return (
    <>
      {noun} <ShortId id={id} href={href} />
    </>
  );
}

function Outcome({ outcome }: Pick<ListedAction, 'outcome'>) {
  if (outcome === null) return <Badge tone="warn">unknown</Badge>;
  return <Badge tone={OUTCOME_TONES[outcome] ?? 'quiet'}>{outcome.replaceAll('_', ' ')}</Badge>;
}

function ActionDetails({ action }: { readonly action: ListedAction }) {
  return (
    <>
      <p className="notice notice-info wrap">{action.reason}</p>
      <DetailList
        items={[
          ['When', <FullTimestamp key="at" at={action.requestedAt} />],
          ['Who', <Person key="who" who={action.who} />],
          ['Subject', <Subject key="subject" action={action} />],
          ['Outcome', <Outcome key="outcome" outcome={action.outcome} />],
        ]}
      />
      <JsonTree value={action.details} openLevels={3} />
    </>
  );
}
