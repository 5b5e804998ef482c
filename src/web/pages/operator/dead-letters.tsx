import '../../styles/operator.css';
import { useState } from 'react';
import type { DeadLetterInfo } from '../../../http/console/operator/schemas.ts';
import { useDeadLetters } from '../../api/operator.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { useSearchParams } from '../../routing/router.ts';
import { Page } from '../../shell/page.tsx';
import { Badge } from '../../ui/badge.tsx';
import { DetailList } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { ListCard, openColumn } from '../../ui/list-card.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ShortId } from '../../ui/short-id.tsx';
import type { Column } from '../../ui/table.tsx';
import { FullTimestamp, Timestamp } from '../../ui/timestamp.tsx';
import { ResolveDeadLetter } from './resolve-dead-letter.tsx';
import { RetryAll } from './retry-all.tsx';

/** Dead letters: messages whose attempts all failed, each with its reason. */
export function DeadLettersPage({ mayAct }: { readonly mayAct: boolean }) {
  const query = useSearchParams();
  const [queue, reason] = [query.get('queue') ?? undefined, query.get('reason') ?? undefined];
  const isFiltered = queue !== undefined || reason !== undefined;
  const letters = useDeadLetters({ queue, reason });
  const [opened, setOpened] = useState<DeadLetterInfo | null>(null);
  return (
    <Page
      title="Dead letters"
      about="Messages that could not be processed. Fix the cause before you retry."
      actions={mayAct ? <RetryAll key={queue} queue={queue} /> : undefined}
    >
      <search className="filters">
        <SearchField className="filters-wide" name="reason" label="Reason" placeholder="Part of the reason" />
        <SearchField className="filters-wide" name="queue" label="Queue" placeholder="Queue name" />
      </search>
      <ListCard
        query={letters}
        loading="Loading dead letters"
        lines={8}
        label="Dead letters"
        isOld={letters.isPlaceholderData}
        rowsOf={({ pages }) => pages.flatMap((page) => page.letters)}
        keyOf={({ id }) => id}
        columns={columnsFor(setOpened)}
        empty={<NoDeadLetters isFiltered={isFiltered} />}
      />
      <Dialog title="Dead letter" isWide isOpen={opened !== null} close={() => setOpened(null)}>
        {opened === null ? null : <Letter letter={opened} />}
        {opened === null || !mayAct ? null : (
          <ResolveDeadLetter key={opened.id} id={opened.id} done={() => setOpened(null)} />
        )}
      </Dialog>
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
    { id: 'reason', title: 'Reason', isCut: true, cell: ({ reason }) => reason },
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

function ActorLink({ id }: { readonly id: string }) {
  return (
    <Link href={hrefOf('actor', { id })} className="mono">
      {id}
    </Link>
  );
}

function Letter({ letter }: { readonly letter: DeadLetterInfo }) {
  return (
    <>
      <p className="notice wrap">{letter.reason}</p>
      <DetailList
        items={[
          ['When', <FullTimestamp key="at" at={letter.at} />],
          ['Queue', letter.queue],
          ['Actor', letter.actorId === null ? 'none' : <ActorLink key="actor" id={letter.actorId} />],
        ]}
      />
      <JsonTree value={letter.data} openLevels={3} />
    </>
  );
}
