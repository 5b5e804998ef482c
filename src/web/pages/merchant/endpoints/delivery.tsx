import { useState } from 'react';
import type { DeliveryDetail, RedeliveryInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useDelivery, useRedeliver } from '../../../api/endpoints.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { toast } from '../../../state/toasts.ts';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DetailList } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { JsonTree } from '../../../ui/values/json-tree.tsx';
import { Countdown, FullTimestamp } from '../../../ui/values/timestamp.tsx';
import { Attempt } from './attempt.tsx';
import { STATE_TONES, STATE_WORDS } from './labels.ts';

interface DeliveryProps {
  readonly id: string;
  /** Whether the endpoint is enabled. */
  readonly isOn: boolean;
  /** Opens another delivery instead. */
  open(id: string): void;
}

/** One delivery: its event, every attempt, and the responses. */
export function Delivery({ id, isOn, open }: DeliveryProps) {
  const delivery = useDelivery(id);
  return (
    <Await query={delivery} label="Loading the delivery" lines={6}>
      {(data) => <DeliveryView delivery={data} isOn={isOn} open={open} />}
    </Await>
  );
}

// Helpers

interface DeliveryViewProps extends Omit<DeliveryProps, 'id'> {
  readonly delivery: DeliveryDetail;
}

function DeliveryView({ delivery, isOn, open }: DeliveryViewProps) {
  const [shown, setShown] = useState('attempts');
  const { event, isTest, state, transactionId, nextAttemptAt, createdAt, eventId, attempts } = delivery;
  return (
    <>
      <DetailList
        items={[
          [
            'Event',
            <>
              <code>{event}</code> {isTest ? <Badge>test</Badge> : null}
            </>,
          ],
          [
            'State',
            <Badge key="state" tone={STATE_TONES[state]}>
              {STATE_WORDS[state]}
            </Badge>,
          ],
          ['Started', <FullTimestamp key="at" at={createdAt} />],
          nextAttemptAt === null ? null : ['Next attempt', <Countdown key="next" at={nextAttemptAt} />],
          transactionId === null
            ? null
            : [
                'Payment',
                <Link key="payment" className="mono" href={hrefOf('payment', { id: transactionId })}>
                  {transactionId}
                </Link>,
              ],
          ['Event id', <code key="id">{eventId}</code>],
        ]}
      />
      <Redeliver delivery={delivery} isOn={isOn} open={open} />
      <Tabs
        label="Parts of the delivery"
        shown={shown}
        show={setShown}
        tabs={[
          {
            id: 'attempts',
            label: `Attempts (${attempts.length})`,
            content:
              attempts.length === 0 ? (
                <EmptyState title="No attempt yet">The first one starts in a moment.</EmptyState>
              ) : (
                <ol className="attempts" reversed>
                  {attempts.toReversed().map((made, index) => (
                    <Attempt key={`${made.attempt}-${made.startedAt}`} attempt={made} isOpen={index === 0} />
                  ))}
                </ol>
              ),
          },
          { id: 'content', label: 'What is sent', content: <Content body={delivery.body} /> },
        ]}
      />
    </>
  );
}

const OUTCOMES: Readonly<Record<RedeliveryInfo['outcome'], string>> = {
  started: 'The event is being sent again.',
  requested: 'Retrying now.',
  under_way: 'An attempt is already in progress.',
};

/** Sends the same bytes again under the same id. */
function Redeliver({ delivery, isOn, open }: DeliveryViewProps) {
  const redeliver = useRedeliver();
  const send = () =>
    redeliver.mutate(delivery.id, {
      onSuccess: ({ outcome, deliveryId }) => {
        toast(OUTCOMES[outcome]);
        if (deliveryId !== delivery.id) open(deliveryId);
      },
    });
  return (
    <div className="form">
      <Problem error={redeliver.error} />
      <div className="button-row">
        <Button
          variant={delivery.state === 'delivered' ? 'plain' : 'main'}
          isBusy={redeliver.isPending}
          disabled={!isOn || delivery.state === 'sending'}
          onClick={send}
        >
          {delivery.state === 'waiting' ? 'Try now' : 'Send again'}
        </Button>
        <span className="soft">
          {isOn ? 'Same content and id: a server that already has it skips it.' : 'Endpoint disabled.'}
        </span>
      </div>
    </div>
  );
}

/** The body of every attempt: formatted, and byte for byte as it is signed. */
function Content({ body }: { readonly body: string }) {
  const value = parsed(body);
  return (
    <div className="columns-2">
      {value === undefined ? null : (
        <div className="stack">
          <h3>Formatted</h3>
          <JsonTree value={value} openLevels={3} />
        </div>
      )}
      <div className="stack">
        <h3>Exactly what is sent and signed ({new TextEncoder().encode(body).length.toLocaleString('en')} bytes)</h3>
        <Snippet label="the exact content">{body}</Snippet>
      </div>
    </div>
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
