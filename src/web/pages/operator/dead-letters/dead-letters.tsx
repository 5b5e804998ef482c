import '../../../styles/operator.css';
import { useState } from 'react';
import type { DeadLetterInfo } from '../../../../http/console/operator/schemas.ts';
import { useDeadLetters } from '../../../api/operator.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { SearchField } from '../../../ui/lists/search-field.tsx';
import type { Column } from '../../../ui/lists/table.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { ListCard, openColumn } from '../../list-card.tsx';
import { AutomaticRetry, DeadLetterDialog } from './dead-letter-dialog.tsx';
import { RetryAll } from './retry-all.tsx';

/** Dead letters: messages whose attempts all failed, each with its error. */
export function DeadLettersPage({ mayAct }: { readonly mayAct: boolean }) {
  const query = useSearchParams();
  const filter = {
    queue: query.get('queue') ?? undefined,
    reason: query.get('reason') ?? undefined,
    actorId: query.get('actor') ?? undefined,
  };
  const { queue, actorId } = filter;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const deadLetters = useDeadLetters(filter);
  const [opened, setOpened] = useState<DeadLetterInfo | null>(null);
  return (
    <Page
      title="Dead letters"
      about="Messages that could not be processed. Fix the cause before you retry."
      actions={mayAct && actorId === undefined ? <RetryAll key={queue} queue={queue} /> : undefined}
    >
      <search className="filters">
        <SearchField className="filters-wide" name="reason" label="Error" placeholder="Part of the error" />
        <SearchField className="filters-wide" name="queue" label="Queue" placeholder="Queue name" />
        <SearchField className="filters-wide" name="actor" label="Actor" placeholder="The whole id" />
      </search>
      <ListCard
        className="dead-letters"
        query={deadLetters}
        loading="Loading dead letters"
        lines={8}
        label="Dead letters"
        isOld={deadLetters.isPlaceholderData}
        rowsOf={({ pages }) => pages.flatMap((page) => page.deadLetters)}
        keyOf={({ id }) => id}
        columns={columnsFor(setOpened)}
        empty={<NoDeadLetters isFiltered={isFiltered} />}
      />
      <DeadLetterDialog letter={opened} mayAct={mayAct} close={() => setOpened(null)} />
    </Page>
  );
}

// Helpers

function NoDeadLetters({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState title="No dead letters">All messages were processed.</EmptyState>;
  return (
    <EmptyState title="Nothing matches">
      <Link href={hrefOf('deadLetters', {})}>Show all dead letters</Link>
    </EmptyState>
  );
}

function columnsFor(open: (letter: DeadLetterInfo) => void): readonly Column<DeadLetterInfo>[] {
  return [
    { id: 'at', title: 'When', cell: ({ at }) => <Timestamp at={at} /> },
    { id: 'queue', title: 'Queue', isSecondary: true, cell: ({ queue }) => <QueueLink queue={queue} /> },
    { id: 'retry', title: 'Automatic retry', isSecondary: true, cell: (letter) => <AutomaticRetry letter={letter} /> },
    {
      id: 'actor',
      title: 'Actor',
      isSecondary: true,
      cell: ({ actorId }) =>
        actorId === null ? (
          <span className="soft">none</span>
        ) : (
          <ShortId id={actorId} href={hrefOf('actor', { id: actorId })} />
        ),
    },
    {
      id: 'reason',
      title: 'Error',
      isCut: true,
      cell: ({ reason }) => <span className="dead-letter-error">{reason}</span>,
    },
    openColumn({
      title: 'Content',
      label: ({ actorId, queue }) => `View the dead letter to ${actorId ?? queue}`,
      open,
    }),
  ];
}

function QueueLink({ queue }: { readonly queue: string }) {
  return (
    <Link href={hrefOf('deadLetters', {}, { queue })}>
      <Badge>{queue}</Badge>
    </Link>
  );
}
