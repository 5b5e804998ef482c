import { useCallback, useState } from 'react';
import type { DeadLetterInfo } from '../../../contract.ts';
import { useDeadLetters } from '../../api/operator.ts';
import { Link } from '../../routing/link.tsx';
import { hrefOf } from '../../routing/paths.ts';
import { Page } from '../../shell/page.tsx';
import { Await } from '../../ui/await.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { FullMoment, Moment } from '../../ui/moment.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { SettleLetter } from './settle-letter.tsx';

/** Messages that were given up after every attempt, each with its reason. */
export function DeadLettersPage({ mayAct }: { readonly mayAct: boolean }) {
  const letters = useDeadLetters();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = letters;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const [opened, setOpened] = useState<DeadLetterInfo | null>(null);
  return (
    <Page
      title="Dead letters"
      about="Messages nothing could be done with. Each has a cause that repeating alone does not cure."
    >
      <Await query={letters} label="Fetching dead letters" lines={8}>
        {({ pages }) => (
          <Card className="card-flush">
            {pages[0]?.total === 0 ? (
              <EmptyState title="None">Every message found its actor.</EmptyState>
            ) : (
              <Table
                label="Dead letters"
                rows={pages.flatMap((page) => page.letters)}
                keyOf={({ id }) => id}
                columns={columnsFor(setOpened)}
                reachEnd={more}
              />
            )}
          </Card>
        )}
      </Await>
      <Dialog title="Dead letter" isWide isOpen={opened !== null} close={() => setOpened(null)}>
        {opened === null ? null : <Letter letter={opened} />}
        {opened === null || !mayAct ? null : (
          <SettleLetter key={opened.id} id={opened.id} done={() => setOpened(null)} />
        )}
      </Dialog>
    </Page>
  );
}

// Helpers

function columnsFor(open: (letter: DeadLetterInfo) => void): readonly Column<DeadLetterInfo>[] {
  return [
    { id: 'at', title: 'When', cell: ({ at }) => <Moment at={at} /> },
    { id: 'queue', title: 'Queue', isSecondary: true, cell: ({ queue }) => <Badge>{queue}</Badge> },
    {
      id: 'actor',
      title: 'Actor',
      isSecondary: true,
      cell: ({ actorId }) => (actorId === null ? <span className="soft">none</span> : <ActorLink id={actorId} />),
    },
    { id: 'reason', title: 'Reason', isCut: true, cell: ({ reason }) => reason },
    {
      id: 'open',
      title: 'Content',
      isNumber: true,
      cell: (letter) => (
        <Button aria-label={`Look at the letter to ${letter.actorId ?? letter.queue}`} onClick={() => open(letter)}>
          Look
        </Button>
      ),
    },
  ];
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
      <Facts
        facts={[
          ['When', <FullMoment key="at" at={letter.at} />],
          ['Queue', letter.queue],
          ['Actor', letter.actorId === null ? 'none' : <ActorLink key="actor" id={letter.actorId} />],
        ]}
      />
      <JsonTree value={letter.data} openLevels={3} />
    </>
  );
}
