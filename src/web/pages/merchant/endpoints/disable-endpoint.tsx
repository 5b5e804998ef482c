import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';

interface DisableEndpointProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

/** Asks for confirmation before webhooks to the endpoint stop. */
export function DisableEndpoint({ endpoint, close }: DisableEndpointProps) {
  const change = useChangeEndpoint(endpoint.id);
  const disable = () =>
    change.mutate(
      { enabled: false },
      {
        onSuccess: () => {
          toast('Endpoint disabled.');
          close();
        },
      },
    );
  return (
    <div className="form">
      <p className="wrap">
        <code>{endpoint.url}</code> gets nothing until you enable it. What is on its way to it is not sent any more.
        Payments go on; your shop just receives no events. Missed events can be sent again later.
      </p>
      {change.error === null ? null : <Problem error={change.error} />}
      <div className="button-row">
        <Button look="danger" isBusy={change.isPending} onClick={disable}>
          Disable it
        </Button>
        <Button onClick={close}>Keep it on</Button>
      </div>
    </div>
  );
}
