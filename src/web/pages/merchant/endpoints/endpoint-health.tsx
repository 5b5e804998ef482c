import type { EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { toastError } from '../../../ui/problem.tsx';
import { TimeSpent, Timestamp } from '../../../ui/values/timestamp.tsx';
import { failureSentences, failureWords } from './labels.ts';

interface EndpointHealthProps {
  readonly detail: EndpointDetail;
  readonly isOwner: boolean;
}

/** The endpoint's recent deliveries, and what to do when they fail. */
export function EndpointHealthSection({ detail, isOwner }: EndpointHealthProps) {
  const { endpoint, counts } = detail;
  const { lastSuccessAt, lastFailure, failuresInARow } = endpoint.health;
  const number = (count: number) =>
    count >= counts.most ? `${counts.most.toLocaleString('en')} or more` : count.toLocaleString('en');
  return (
    <Card title="Health">
      <div className="form">
        {endpoint.enabled ? (
          <Failing detail={detail} />
        ) : (
          <Disabled detail={detail} isOwner={isOwner} number={number} />
        )}
        <DetailList
          items={[
            ['Last accepted', lastSuccessAt === null ? 'never' : <Timestamp key="taken" at={lastSuccessAt} />],
            [
              'Last failure',
              lastFailure === null ? (
                'none'
              ) : (
                <>
                  {failureWords(lastFailure.kind, lastFailure.status)}, <Timestamp at={lastFailure.at} />
                </>
              ),
            ],
            ['Consecutive failures', number(failuresInARow)],
            ['Delivered in 24 hours', number(counts.delivered)],
            ['Abandoned in 24 hours', number(counts.failed)],
            ['Waiting for the next attempt', number(counts.waiting)],
          ]}
        />
      </div>
    </Card>
  );
}

// Helpers

function Failing({ detail: { endpoint } }: { readonly detail: EndpointDetail }) {
  const { failingSince, health, disablesItself } = endpoint;
  if (failingSince === null) return null;
  return (
    <div className="problem">
      <div>
        <p className="wrap">
          {health.lastFailure === null
            ? null
            : failureSentences(health.lastFailure.kind, health.lastFailure.status, health.lastFailure.detail)}{' '}
          Failing <TimeSpent since={failingSince} />. No event has been accepted since.
        </p>
        <p>Events are retried for a day. You can replay abandoned events below.</p>
        {disablesItself ? <p>After five days of failures it is disabled.</p> : null}
      </div>
    </div>
  );
}

const DISABLED = {
  merchant: 'It is disabled and receives nothing.',
  failing: 'It was disabled after days of failures. Fix your server, then enable it.',
  gone: 'It was disabled because it returned 410 Gone. Set its new URL or fix your server, then enable it.',
} as const;

interface DisabledProps extends EndpointHealthProps {
  number(count: number): string;
}

function Disabled({ detail: { endpoint, counts }, isOwner, number }: DisabledProps) {
  const change = useChangeEndpoint(endpoint.id);
  const enable = () =>
    change.mutate(
      { enabled: true },
      {
        onSuccess: () => toast('Endpoint enabled. Missed events are not sent automatically: replay them below.'),
        onError: toastError,
      },
    );
  return (
    <div className="notice">
      <p>
        {DISABLED[endpoint.disabledBecause ?? 'merchant']}{' '}
        {counts.held === 0 ? 'It has missed no events.' : `It has missed ${number(counts.held)} events; none are lost.`}
      </p>
      {isOwner ? (
        <Button isBusy={change.isPending} onClick={enable}>
          Enable it
        </Button>
      ) : null}
    </div>
  );
}
