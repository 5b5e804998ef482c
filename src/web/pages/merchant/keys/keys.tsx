import { useState } from 'react';
import type { KeyInfo, KeyList } from '../../../../http/console/merchant/keys/schemas.ts';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import { useKeys } from '../../../api/keys.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type KeyAction, KeyDialogs } from './key-dialogs.tsx';
import { EndedKeys, KeyLine } from './key-line.tsx';

export function KeysPage({ isOwner }: { readonly isOwner: boolean }) {
  const keys = useKeys();
  const [doing, setDoing] = useState<KeyAction | null>(null);
  return (
    <Page
      title="API keys"
      about="A key lets a program use the API for your shop. Give each program its own key, so that you can revoke one without affecting the others."
      actions={
        isOwner ? (
          <Button variant="main" onClick={() => setDoing({ what: 'create' })}>
            Create a key
          </Button>
        ) : undefined
      }
    >
      <Await query={keys} label="Loading your keys" lines={8}>
        {(list) => (
          <>
            <KeyGroup mode="live" list={list} act={isOwner ? setDoing : null} />
            <KeyGroup mode="test" list={list} act={isOwner ? setDoing : null} />
            <EndedKeys keys={list.ended} />
            <KeyDialogs doing={doing} list={list} setDoing={setDoing} />
          </>
        )}
      </Await>
    </Page>
  );
}

// Helpers

const GROUP_WORDS: Readonly<Record<Mode, { readonly title: string; readonly about: string }>> = {
  live: { title: 'Live keys', about: 'Payments created with these keys are real money, paid to your wallets.' },
  test: {
    title: 'Test keys',
    about: 'Payments created with these keys are simulated. No real money moves.',
  },
};

interface KeyGroupProps {
  readonly mode: Mode;
  readonly list: KeyList;
  /** Starts an action; null for users who may not change keys. */
  readonly act: ((doing: KeyAction) => void) | null;
}

function KeyGroup({ mode, list, act }: KeyGroupProps) {
  const keys = list.keys.filter((key: KeyInfo) => key.mode === mode);
  const { title, about } = GROUP_WORDS[mode];
  return (
    <Card className="card-flush" title={title} actions={<p className="soft">{about}</p>}>
      {keys.length === 0 ? (
        <EmptyState title={`No ${mode} keys`}>
          {act === null ? 'Ask an owner to create one.' : 'Create one and add it to your shop’s settings.'}
        </EmptyState>
      ) : (
        <ul className="lines">
          {keys.map((key) => (
            <KeyLine key={key.id} info={key} act={act} />
          ))}
        </ul>
      )}
    </Card>
  );
}
