import type { PaymentInfo, TimelineEntryInfo, TimelineWho } from '../../../../http/console/merchant/payment/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { PaymentStatus } from '../../../ui/values/payment-status-badge.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';

/** The payment's history, newest first: who did what, and the status after it. */
export function Timeline({ payment }: { readonly payment: PaymentInfo }) {
  return (
    <Card title="Timeline">
      {payment.isTimelineCut ? (
        <p className="notice">There are too many steps to show the latest ones. Ask the operator of this service.</p>
      ) : null}
      <ol className="payment-timeline">
        {payment.timeline.toReversed().map((entry) => (
          <Entry key={entry.sequence} entry={entry} />
        ))}
      </ol>
    </Card>
  );
}

// Helpers

const WHO_WORDS: Readonly<Record<Exclude<TimelineWho['kind'], 'person'>, string>> = {
  shop: 'Your shop',
  customer: 'Your customer',
  chain: 'The network',
  clock: 'The clock',
  operator: 'The operators of this service',
  service: 'The service',
};

function Entry({ entry }: { readonly entry: TimelineEntryInfo }) {
  return (
    <li className="payment-timeline-entry">
      <p className="payment-timeline-head">
        <Badge tone={entry.who.kind === 'person' || entry.who.kind === 'operator' ? 'good' : 'quiet'}>
          {whoText(entry.who)}
        </Badge>
        <span className="soft">
          <FullTimestamp at={entry.at} isPast />
        </span>
        {entry.becomes === null ? null : (
          <PaymentStatus status={entry.becomes.status} exception={entry.becomes.exception} />
        )}
      </p>
      <p className="wrap">{entry.words}.</p>
      {entry.reason === null ? null : (
        <p className="soft wrap">
          <q>{entry.reason}</q>
        </p>
      )}
    </li>
  );
}

function whoText(who: TimelineWho): string {
  if (who.kind !== 'person') return WHO_WORDS[who.kind];
  return who.email ?? 'A former user';
}
