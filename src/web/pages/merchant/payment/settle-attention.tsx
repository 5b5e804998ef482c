import { useState } from 'react';
import type { AttentionItemInfo } from '../../../../http/console/merchant/attention/schemas.ts';
import type { PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SettledBefore } from '../attention/item.tsx';
import { DECISIONS_OF, KIND_WORDS } from '../attention/labels.ts';
import { NotConfirmed, SettleDialog } from '../attention/settle.tsx';

/**
 * Attention items of this payment that are settled with a note. Decisions are shown with the
 * status.
 */
export function Attention({ payment }: { readonly payment: PaymentInfo }) {
  const [settling, setSettling] = useState<AttentionItemInfo | null>(null);
  const open = payment.attention.filter(({ settledAt, kind }) => settledAt === null && DECISIONS_OF[kind].length === 0);
  return (
    <>
      {open.map((item) => (
        <Card key={item.kind} title={<Badge tone={KIND_WORDS[item.kind].tone}>{KIND_WORDS[item.kind].title}</Badge>}>
          <div className="form">
            <p>{KIND_WORDS[item.kind].what(item)}</p>
            <p className="soft">{KIND_WORDS[item.kind].adviceBelowStatus ?? KIND_WORDS[item.kind].advice}</p>
            <SettledBefore note={item.note} />
            {item.isConfirmed ? null : <NotConfirmed />}
            <div className="button-row">
              <Button
                variant="main"
                aria-label={`Mark as settled: ${KIND_WORDS[item.kind].title}`}
                onClick={() => setSettling(item)}
              >
                Mark as settled
              </Button>
            </div>
          </div>
        </Card>
      ))}
      <SettleDialog item={settling} close={() => setSettling(null)} />
    </>
  );
}
