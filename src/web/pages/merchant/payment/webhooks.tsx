import type { PaymentEventInfo, PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Since } from '../../../ui/values/timestamp.tsx';
import { countText } from '../../../ui/values/word-text.ts';

/** Webhook events of the payment, and whether they were delivered. */
export function Webhooks({ payment }: { readonly payment: PaymentInfo }) {
  return (
    <Card title="Webhooks" actions={<Link href={hrefOf('endpoints', {})}>Endpoints</Link>}>
      <ul className="lines">
        {payment.events.map((event) => (
          <li key={event.id} className="webhook">
            <p className="webhook-head">
              <code className="wrap">{event.event}</code>
              <span className="soft">
                <Since at={event.createdAt} />
              </span>
            </p>
            {event.deliveries.length === 0 ? <p className="soft">not subscribed</p> : null}
            {event.deliveries.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} event={event.event} />
            ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

// Helpers

type PaymentDelivery = PaymentEventInfo['deliveries'][number];

const STATES: Readonly<Record<PaymentDelivery['state'], { readonly word: string; readonly tone: Tone }>> = {
  sending: { word: 'being sent', tone: 'info' },
  waiting: { word: 'retried soon', tone: 'warn' },
  delivered: { word: 'delivered', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
};

function Delivery({ delivery, event }: { readonly delivery: PaymentDelivery; readonly event: string }) {
  const { word, tone } = STATES[delivery.state];
  return (
    <p className="webhook-head">
      <Badge tone={tone}>{word}</Badge>
      <span className="wrap">{delivery.host}</span>
      <span className="soft number">{countText(delivery.attempt, 'attempt')}</span>
      <Link
        href={hrefOf('endpoint', { id: delivery.endpointId }, { delivery: delivery.id })}
        aria-label={`View the delivery of ${event} to ${delivery.host}`}
      >
        View
      </Link>
    </p>
  );
}
