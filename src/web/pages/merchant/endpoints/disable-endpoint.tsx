import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Form } from '../../../ui/form.tsx';

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
    <Form work={change} action="Disable it" look="danger" cancel="Keep it on" submit={disable} close={close}>
      <p className="wrap">
        <code>{endpoint.url}</code> gets nothing until you enable it. What is on its way to it is not sent any more.
        Payments go on; your shop just receives no events. Missed events can be sent again later.
      </p>
    </Form>
  );
}
