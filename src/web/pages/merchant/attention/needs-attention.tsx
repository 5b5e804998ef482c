import '../../../styles/attention.css';
import { useState } from 'react';
import type { AttentionItemInfo, AttentionKindName } from '../../../../http/console/merchant/attention/schemas.ts';
import { useAttention, useNeedsAttentionCount } from '../../../api/attention.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { type ChosenDecision, DecisionDialog } from './decide.tsx';
import { AttentionLine } from './item.tsx';
import { ATTENTION_KIND_NAMES, KIND_WORDS } from './labels.ts';
import { SettleDialog } from './settle.tsx';

/** Payments that need a decision or a note from a person, oldest first. */
export function NeedsAttentionPage() {
  const query = useSearchParams();
  const setQuery = useSetSearchParams();
  const count = useNeedsAttentionCount();
  const kind = ATTENTION_KIND_NAMES.find((each) => each === query.get('kind'));
  const open = count.data?.open ?? 0;
  return (
    <Page
      title="Needs attention"
      about="Payments that did not go as planned. Decide what to do, or mark an item as settled once you have dealt with it."
      actions={
        <SelectField
          label="Show"
          hasHiddenLabel
          value={kind ?? ''}
          onChange={(event) => setQuery({ kind: event.target.value }, { replaces: true })}
        >
          <option value="">Everything</option>
          {ATTENTION_KIND_NAMES.map((each) => (
            <option key={each} value={each}>
              {KIND_WORDS[each].title}
            </option>
          ))}
        </SelectField>
      }
    >
      <Tabs
        label="Open or settled"
        shown={query.get('show') === 'settled' ? 'settled' : 'open'}
        show={(id) => setQuery({ show: id === 'settled' ? id : undefined })}
        tabs={[
          {
            id: 'open',
            label: <>Waiting {open === 0 ? null : <Badge tone="bad">{open.toLocaleString('en')}</Badge>}</>,
            content: <AttentionItems show="open" kind={kind} />,
          },
          { id: 'settled', label: 'Settled', content: <AttentionItems show="settled" kind={kind} /> },
        ]}
      />
    </Page>
  );
}

// Helpers

interface AttentionItemsProps {
  readonly show: 'open' | 'settled';
  readonly kind: AttentionKindName | undefined;
}

function AttentionItems({ show, kind }: AttentionItemsProps) {
  const list = useAttention(show, kind);
  const [chosen, setChosen] = useState<ChosenDecision | null>(null);
  const [settling, setSettling] = useState<AttentionItemInfo | null>(null);
  return (
    <>
      <DecisionDialog chosen={chosen} close={() => setChosen(null)} />
      <SettleDialog item={settling} close={() => setSettling(null)} />
      <Await query={list} label="Loading items" lines={8}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <Nothing show={show} isFiltered={kind !== undefined} />;
          return (
            <Card className="card-flush">
              <ul className="attention">
                {items.map((item) => (
                  <AttentionLine
                    key={`${item.transactionId} ${item.kind}`}
                    item={item}
                    decide={setChosen}
                    settle={setSettling}
                  />
                ))}
              </ul>
              {list.hasNextPage ? (
                <div className="attention-more">
                  <Button
                    isBusy={list.isFetchingNextPage}
                    onClick={() => void list.fetchNextPage({ cancelRefetch: false })}
                  >
                    Show more
                  </Button>
                </div>
              ) : null}
            </Card>
          );
        }}
      </Await>
    </>
  );
}

function Nothing({ show, isFiltered }: { readonly show: 'open' | 'settled'; readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No items of this kind">
        <Link href={hrefOf('needsAttention', {}, { show: show === 'settled' ? show : undefined })}>
          Show everything
        </Link>
      </EmptyState>
    );
  }
  if (show === 'settled') {
    return (
      <EmptyState title="Nothing settled yet">
        What you decide or settle is recorded here, with who did it and why.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing needs attention">
      Payments that arrive late, short or twice appear here. <Link href={hrefOf('payments', {})}>All payments</Link>
    </EmptyState>
  );
}
