import '../../../styles/wallets.css';
import { type ReactNode, useState } from 'react';
import type { WalletList } from '../../../../http/console/merchant/wallets/schemas.ts';
import { useWallets } from '../../../api/wallets.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { AddWallet } from './add-wallet.tsx';
import { WalletCard } from './wallet-card.tsx';

/**
 * The merchant's wallets. Owners change them; staff can read them. `?add` opens the steps for a new
 * wallet, for a coin or for any.
 */
export function WalletsPage({ isOwner }: { readonly isOwner: boolean }) {
  const wallets = useWallets();
  const query = useSearchParams();
  const adding = query.get('add');
  const mode = query.get('mode') === 'test' ? 'test' : 'live';
  const setQuery = useSetSearchParams();
  const [attempt, setAttempt] = useState(0);
  const isAdding = isOwner && adding !== null;
  const add = isOwner ? (
    <Button variant="main" onClick={() => setQuery({ add: ANY })}>
      Add a wallet
    </Button>
  ) : undefined;
  return (
    <Page
      title={isAdding ? 'Add a wallet' : 'Wallets'}
      about={isAdding ? undefined : aboutOf(wallets.data)}
      actions={isAdding || wallets.data?.wallets.length === 0 ? undefined : add}
    >
      <Await query={wallets} label="Loading wallets" lines={6}>
        {(list) =>
          isAdding ? (
            <AddWallet
              key={`${adding} ${mode} ${attempt}`}
              list={list}
              begin={adding === ANY ? null : { crypto: adding, mode }}
              cancel={() => setQuery({ add: undefined, mode: undefined })}
              restart={() => {
                setQuery({ add: ANY, mode: undefined });
                setAttempt(attempt + 1);
              }}
            />
          ) : (
            <List list={list} isOwner={isOwner} add={add} />
          )
        }
      </Await>
    </Page>
  );
}

// Helpers

/** Value in the URL for any coin. */
const ANY = 'any';

const ABOUT = 'Live payments go straight to your own wallets, each to a new address.';

function aboutOf(list: WalletList | undefined): string {
  const hasTestChains = list?.chains.some(({ mode }) => mode === 'test') ?? false;
  const ofTests = hasTestChains
    ? 'Test payments go to test wallets on test networks.'
    : 'Test payments need no wallet.';
  return `${ABOUT} ${ofTests}`;
}

interface ListProps {
  readonly list: WalletList;
  readonly isOwner: boolean;
  /** The button that adds a wallet. */
  readonly add: ReactNode;
}

function List({ list, isOwner, add }: ListProps) {
  if (list.wallets.length === 0) {
    return (
      <div className="card">
        <EmptyState title="No wallets yet" action={add}>
          {isOwner
            ? 'Add one to receive real coins. You need the extended public key of a wallet you control. It takes a few minutes.'
            : 'Ask an owner of this account to add one. Until then, only test payments work.'}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="wallets">
      {list.wallets.map((wallet) => (
        <WalletCard key={wallet.id} wallet={wallet} limits={list} isOwner={isOwner} />
      ))}
    </div>
  );
}
