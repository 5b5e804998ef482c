import '../../../styles/operator.css';
import { type ReactNode, useState } from 'react';
import type { Mode } from '../../../../../machines/index.ts';
import type { ListedMerchant } from '../../../../http/console/operator/merchant-schemas.ts';
import { useMerchants } from '../../../api/merchants.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CheckField } from '../../../ui/forms/field.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { SearchField } from '../../../ui/lists/search-field.tsx';
import { type Column, Dash } from '../../../ui/lists/table.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { ListCard } from '../../list-card.tsx';
import { NewMerchant } from './new-merchant.tsx';

/** All merchants of this service; operators create more. */
export function MerchantsPage({ mayAct }: { readonly mayAct: boolean }) {
  const [isOpening, setIsOpening] = useState(false);
  const query = useSearchParams();
  const search = query.get('search') ?? '';
  const failing = query.get('failing');
  const failingMode = failing === 'live' || failing === 'test' ? failing : undefined;
  const merchants = useMerchants({ search, failingMode });
  const isSearch = search !== '' || failingMode !== undefined;
  const isEmpty = !isSearch && merchants.data?.pages[0]?.merchants.length === 0;
  const create = mayAct ? (
    <Button variant="main" onClick={() => setIsOpening(true)}>
      New merchant
    </Button>
  ) : undefined;
  return (
    <Page
      title="Merchants"
      about="Usage counts the payments that were completed this month (UTC), without simulated ones."
      actions={isEmpty ? undefined : create}
    >
      {isEmpty ? null : <MerchantFilters failingMode={failingMode} />}
      <ListCard
        query={merchants}
        loading="Loading merchants"
        lines={8}
        label="Merchants"
        isOld={merchants.isPlaceholderData}
        asCards
        rowsOf={({ pages }) => pages.flatMap((page) => page.merchants)}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={<NoMerchants isSearch={isSearch} action={create} />}
      />
      {isOpening ? <NewMerchant close={() => setIsOpening(false)} /> : null}
    </Page>
  );
}

// Helpers

function MerchantFilters({ failingMode }: { readonly failingMode: Mode | undefined }) {
  const setQuery = useSetSearchParams();
  return (
    <search className="filters">
      <SearchField
        className="filters-wide"
        name="search"
        label="Search"
        placeholder="Part of a name or email, or an id"
      />
      <div className="filters-more">
        {FAILING.map(([mode, label]) => (
          <CheckField
            key={mode}
            label={label}
            checked={failingMode === mode}
            onChange={(event) => setQuery({ failing: event.target.checked ? mode : undefined })}
          />
        ))}
      </div>
    </search>
  );
}

const FAILING = [
  ['live', 'Failing webhooks only'],
  ['test', 'Failing test webhooks only'],
] as const;

const COLUMNS: readonly Column<ListedMerchant>[] = [
  {
    id: 'name',
    opensRow: true,
    title: 'Merchant',
    isCut: true,
    cell: ({ id, name, approvalPendingSince }) => (
      <>
        <Link href={hrefOf('merchant', { id })}>{name}</Link>{' '}
        {approvalPendingSince === null ? null : <Badge tone="warn">not approved</Badge>}
      </>
    ),
  },
  { id: 'plan', title: 'Plan', cell: ({ plan }) => <Badge tone="info">{plan.tier}</Badge> },
  {
    id: 'usage',
    title: 'This month',
    isNumber: true,
    isSecondary: true,
    isOnCard: true,
    cell: ({ usage }) => (
      <>
        <Usage {...usage} /> <span className="only-on-card">this month</span>
      </>
    ),
  },
  {
    id: 'needs',
    title: 'Needs attention',
    isNumber: true,
    isSecondary: true,
    isOnCard: true,
    cell: ({ needsAttention }) =>
      needsAttention === 0 ? (
        <span className="soft not-on-card">–</span>
      ) : (
        <>
          <Badge tone="warn">{needsAttention}</Badge> <span className="only-on-card">to decide</span>
        </>
      ),
  },
  {
    id: 'wallets',
    title: 'Wallets',
    isNumber: true,
    isSecondary: true,
    cell: ({ wallets }) => (wallets === 0 ? <Badge tone="warn">none</Badge> : wallets),
  },
  {
    id: 'endpoints',
    title: 'Webhooks',
    isNumber: true,
    isSecondary: true,
    cell: ({ endpoints }) => <Webhooks {...endpoints} />,
  },
  {
    id: 'created',
    title: 'Since',
    isNumber: true,
    isSecondary: true,
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
];

function Webhooks({ total, failing, testFailing }: ListedMerchant['endpoints']) {
  if (failing > 0) return <Badge tone="bad">{`${failing} of ${total} failing`}</Badge>;
  if (testFailing > 0) return <Badge>{`${testFailing} of ${total} failing, test`}</Badge>;
  return total === 0 ? <Dash /> : total;
}

export function Usage({ used, limit }: ListedMerchant['usage']) {
  return (
    <>
      {used.toLocaleString('en')}{' '}
      <span className="soft">{limit === null ? 'unlimited' : `of ${limit.toLocaleString('en')}`}</span>
    </>
  );
}

function NoMerchants({ isSearch, action }: { readonly isSearch: boolean; readonly action: ReactNode }) {
  if (isSearch) {
    return (
      <EmptyState title="No merchant matches">
        <Link href={hrefOf('merchants', {})}>Show all merchants</Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No merchants yet" action={action}>
      Create one here, or add it to the provisioning file.
    </EmptyState>
  );
}
