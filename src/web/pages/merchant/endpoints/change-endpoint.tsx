import { type FormEvent, useState } from 'react';
import type { EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { bodyOf, EndpointFields, type EndpointWish } from './endpoint-fields.tsx';
import { EndpointProblem } from './endpoint-problem.tsx';

interface ChangeEndpointProps {
  readonly detail: EndpointDetail;
  close(): void;
}

export function ChangeEndpoint({ detail, close }: ChangeEndpointProps) {
  const { url, description, events, modes, disablesItself, disablesOnGone, maxPerSecond } = detail.endpoint;
  const change = useChangeEndpoint(detail.endpoint.id);
  const [wish, setWish] = useState<EndpointWish>({
    url,
    description,
    events,
    modes,
    disablesItself,
    disablesOnGone,
    maxPerSecond: maxPerSecond === null ? '' : String(maxPerSecond),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(bodyOf(wish), {
      onSuccess: () => {
        toast('Endpoint saved.');
        close();
      },
    });
  };
  return (
    <form className="form" onSubmit={submit}>
      <EndpointFields wish={wish} types={detail} change={setWish} />
      <EndpointProblem error={change.error} />
      <div className="button-row">
        <Button
          type="submit"
          look="main"
          isBusy={change.isPending}
          disabled={wish.events.length === 0 || wish.modes.length === 0}
        >
          Save
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
