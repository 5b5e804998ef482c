import type { EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useRetryWaiting } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/problem.tsx';
import { countText } from '../../../ui/values/word-text.ts';

/** Deliveries that wait for their next attempt, which a replay leaves out: retries them at once. */
export function WaitingDeliveries({ detail: { endpoint, counts } }: { readonly detail: EndpointDetail }) {
  const retry = useRetryWaiting(endpoint.id);
  const { waiting, most } = counts;
  if (waiting === 0 || !endpoint.enabled) return null;
  const submit = () =>
    retry.mutate(undefined, {
      onSuccess: ({ retried, hasMore }) =>
        toast(`${countText(retried, 'delivery', 'deliveries')} retried now.${hasMore ? ' More are waiting.' : ''}`),
      onError: toastError,
    });
  return (
    <div className="card-bar button-row">
      <span>
        {waiting >= most
          ? `${most.toLocaleString('en')} deliveries or more wait`
          : `${countText(waiting, 'delivery', 'deliveries')} ${waiting === 1 ? 'waits' : 'wait'}`}{' '}
        for the next attempt.
      </span>
      <Button isBusy={retry.isPending} onClick={submit}>
        Retry all now
      </Button>
    </div>
  );
}
