import '../../../styles/links.css';
import { useState } from 'react';
import type { LinkInfo, LinkPage } from '../../../../http/console/merchant/links/schemas.ts';
import { useLinks } from '../../../api/links.ts';
import { useMode, useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Table } from '../../../ui/lists/table.tsx';
import { errorText } from '../../../ui/problem.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { CloseLink } from './close-link.tsx';
import { CreateLink } from './create-link.tsx';
import { ExcessPayments } from './excess-payments.tsx';
import { imageUrlOf, priceText, STATE_WORDS, usesText } from './link-labels.ts';
import { CopyLink, ShareLink } from './share-link.tsx';

/** Payment links: payments without a shop. The open link is in the URL. */
export function LinksPage() {
  const mode = useMode();
  const links = useLinks();
  const [isCreating, setIsCreating] = useState(false);
  const setQuery = useSetSearchParams();
  const opened = useSearchParams().get('link');
  const pages = links.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.links);
  const link = rows.find(({ slug }) => slug === opened) ?? null;
  const create = (
    <Button variant="main" onClick={() => setIsCreating(true)}>
      Create a link
    </Button>
  );
  return (
    <Page
      title="Payment links"
      about="Get paid without an online shop: share the link by email or chat, print its QR code, or add a button to your website."
      actions={links.isSuccess && rows.length === 0 ? undefined : create}
    >
      <Await query={links} label="Loading payment links" lines={8}>
        {() => (
          <Card className="card-flush">
            {rows.length === 0 ? (
              <EmptyState title={mode === 'test' ? 'No test links yet' : 'No payment links yet'} action={create}>
                Choose a title and a price. No code needed.
              </EmptyState>
            ) : (
              <Table
                label="Payment links"
                columns={columnsFor((slug) => setQuery({ link: slug }))}
                rows={rows}
                keyOf={({ slug }) => slug}
                asCards
                more={links}
              />
            )}
            {links.isFetchNextPageError ? <p className="table-foot">{errorText(links.error)}</p> : null}
          </Card>
        )}
      </Await>
      <ExcessPayments links={rows} />
      <Dialog title="Create a payment link" isWide isOpen={isCreating} close={() => setIsCreating(false)}>
        <CreateLink
          coins={pages[0]?.coins ?? []}
          close={() => setIsCreating(false)}
          created={({ slug }) => {
            setIsCreating(false);
            setQuery({ link: slug });
          }}
        />
      </Dialog>
      <Dialog title={link?.title ?? ''} isWide isOpen={link !== null} close={() => setQuery({ link: undefined })}>
        {link === null ? null : <Opened link={link} page={pages[0]} />}
      </Dialog>
    </Page>
  );
}

// Helpers

function columnsFor(open: (slug: string) => void): readonly Column<LinkInfo>[] {
  return [
    {
      id: 'title',
      opensRow: true,
      title: 'Title',
      isCut: true,
      cell: ({ slug, title, imageId }) => (
        <button type="button" className="links-title" onClick={() => open(slug)}>
          {imageId === null ? null : (
            <img className="links-thumb" src={imageUrlOf(imageId)} alt="" loading="lazy" width={24} height={24} />
          )}
          {title}
        </button>
      ),
    },
    { id: 'state', title: 'State', cell: (link) => <State link={link} /> },
    {
      id: 'price',
      title: 'Price',
      isNumber: true,
      cell: ({ price, currency }) => priceText(price, currency),
    },
    {
      id: 'copy',
      title: 'Link',
      isOnCard: true,
      cell: ({ url, title, state }) => (state === 'open' ? <CopyLink url={url} title={title} /> : null),
    },
    { id: 'uses', title: 'Paid', isNumber: true, isSecondary: true, cell: (link) => usesText(link) },
    {
      id: 'expires',
      title: 'Expires',
      isNumber: true,
      isSecondary: true,
      cell: ({ expiresAt }) =>
        expiresAt === null ? <span className="soft">never</span> : <Timestamp at={expiresAt} />,
    },
    {
      id: 'created',
      title: 'Created',
      isNumber: true,
      isSecondary: true,
      cell: ({ createdAt }) => <Timestamp at={createdAt} />,
    },
  ];
}

function State({ link: { state, excessUses } }: { readonly link: LinkInfo }) {
  const { word, tone } = STATE_WORDS[state];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {excessUses === 0 ? null : (
        <>
          {' '}
          <Badge tone="warn">{excessUses.toLocaleString('en')} too many</Badge>
        </>
      )}
    </>
  );
}

function Opened({ link, page }: { readonly link: LinkInfo; readonly page: LinkPage | undefined }) {
  return (
    <>
      <ShareLink link={link} coins={page?.coins ?? []} />
      <CloseLink link={link} />
    </>
  );
}
