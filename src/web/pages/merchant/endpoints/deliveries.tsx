import { useState } from 'react';
import type { DeliveryInfo, EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useDeliveries } from '../../../api/endpoints.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { type Column, Table } from '../../../ui/lists/table.tsx';
import { shortIdText } from '../../../ui/values/short-id-text.ts';
import { Since, Timestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { Delivery } from './delivery.tsx';
import { DeliveryFilters, filterIn } from './delivery-filters.tsx';
import { lastResponse, STATE_TONES, STATE_WORDS } from './labels.ts';
import { PlanReplay } from './plan-replay.tsx';
import { ReplayProgress } from './replay-progress.tsx';
import { WaitingDeliveries } from './waiting-deliveries.tsx';

interface DeliveriesProps {
  readonly detail: EndpointDetail;
  readonly isOwner: boolean;
}

/** The delivery log of an endpoint. Its filter and the open delivery are in the URL. */
export function Deliveries({ detail, isOwner }: DeliveriesProps) {
  const { endpoint, replay } = detail;
  const query = useSearchParams();
  const setQuery = useSetSearchParams();
  const [isPlanning, setIsPlanning] = useState(false);
  const opened = query.get('delivery');
  const open = (id: string | undefined) => setQuery({ delivery: id });
  return (
    <Card
      className="card-flush deliveries"
      title="Deliveries"
      actions={
        isOwner ? (
          <Button disabled={!endpoint.enabled || replay?.state === 'running'} onClick={() => setIsPlanning(true)}>
            Replay missed events…
          </Button>
        ) : undefined
      }
    >
      {replay === null ? null : <ReplayProgress key={replay.id} known={replay} isOwner={isOwner} />}
      <WaitingDeliveries detail={detail} />
      <DeliveryFilters eventTypes={detail.eventTypes} />
      <DeliveryTable endpointId={endpoint.id} />
      <Dialog title="Delivery" isWide isOpen={opened !== null} close={() => open(undefined)}>
        {opened === null ? null : <Delivery key={opened} id={opened} isOn={endpoint.enabled} open={open} />}
      </Dialog>
      <Dialog title="Replay missed events" isOpen={isPlanning} close={() => setIsPlanning(false)}>
        <PlanReplay detail={detail} close={() => setIsPlanning(false)} />
      </Dialog>
    </Card>
  );
}

// Helpers

function DeliveryTable({ endpointId }: { readonly endpointId: string }) {
  const query = useSearchParams();
  const filter = filterIn(query);
  const hrefFor = (id: string) =>
    hrefOf('endpoint', { id: endpointId }, { ...Object.fromEntries(query), delivery: id });
  const deliveries = useDeliveries(endpointId, filter);
  return (
    <Await query={deliveries} label="Loading deliveries" lines={6}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.deliveries);
        if (rows.length === 0) return <Nothing isFiltered={Object.keys(filter).length > 0} />;
        return (
          <Table
            label="Deliveries"
            rows={rows}
            keyOf={({ id }) => id}
            columns={columnsFor(hrefFor)}
            asCards
            more={deliveries}
          />
        );
      }}
    </Await>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="Nothing matches">Choose another state, event or day.</EmptyState>
  ) : (
    <EmptyState title="Nothing sent yet">
      Send a test event to check that your server accepts it. Real events follow with the next payment.
    </EmptyState>
  );
}

/** What distinguishes deliveries of one event type: the order, else the payment, else the event. */
function About({ delivery: { orderId, transactionId, eventId, isTest } }: { readonly delivery: DeliveryInfo }) {
  if (orderId !== null) return <span title={orderId}>{shortIdText(orderId)}</span>;
  const id = isTest ? eventId : (transactionId ?? eventId);
  return (
    <span className="mono" title={id}>
      {shortIdText(id)}
    </span>
  );
}

function columnsFor(hrefFor: (id: string) => string): readonly Column<DeliveryInfo>[] {
  return [
    { id: 'at', title: 'When', cell: ({ createdAt }) => <Since at={createdAt} /> },
    {
      id: 'event',
      opensRow: true,
      title: 'Event',
      isCut: true,
      cell: ({ id, event, isTest }) => (
        <>
          <Link href={hrefFor(id)} className="mono">
            {event}
          </Link>{' '}
          {isTest ? <Badge>test</Badge> : null}
        </>
      ),
    },
    { id: 'about', title: 'Payment or event', cell: (delivery) => <About delivery={delivery} />, isOnCard: true },
    {
      id: 'state',
      title: 'State',
      cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>,
    },
    { id: 'answer', title: 'Last response', cell: lastResponse },
    { id: 'attempt', title: 'Attempt', isSecondary: true, isNumber: true, cell: ({ attempt }) => attempt },
    {
      id: 'next',
      title: 'Next attempt',
      isSecondary: true,
      isNumber: true,
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? null : <Timestamp at={nextAttemptAt} />),
    },
  ];
}
