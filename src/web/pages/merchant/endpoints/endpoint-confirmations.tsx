import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint, useDeleteEndpoint, useDeleteResponses } from '../../../api/endpoints.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate } from '../../../routing/router.ts';
import { toast, toastAndClose } from '../../../state/toasts.ts';
import { Form } from '../../../ui/forms/form.tsx';

interface ConfirmationProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

/** Asks for confirmation before webhooks to the endpoint stop. */
export function DisableEndpoint({ endpoint, close }: ConfirmationProps) {
  const change = useChangeEndpoint(endpoint.id);
  const disable = () => change.mutate({ enabled: false }, toastAndClose('Endpoint disabled.', close));
  return (
    <Form work={change} action="Disable endpoint" variant="danger" cancel="Keep enabled" submit={disable} close={close}>
      <p className="wrap">
        <code>{endpoint.url}</code> receives nothing until you enable it. Pending events are no longer sent. Payments
        continue, but your shop receives no events. You can replay missed events later.
      </p>
    </Form>
  );
}

/** Asks for confirmation before the stored responses of an endpoint are deleted. */
export function DeleteResponses({ endpoint, close }: ConfirmationProps) {
  const remove = useDeleteResponses(endpoint.id);
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess: ({ deleted }) => {
        const responses = deleted === 1 ? '1 response was' : `${deleted.toLocaleString('en')} responses were`;
        toast(deleted === 0 ? 'No stored responses.' : `${responses} deleted.`);
        close();
      },
    });
  return (
    <Form
      work={remove}
      action="Delete stored responses"
      variant="danger"
      cancel="Keep responses"
      submit={submit}
      close={close}
    >
      <p className="wrap">
        The bodies and headers of all responses from <code>{endpoint.url}</code> so far are deleted from the log.
        Statuses, failures, times and requests are kept. This cannot be undone.
      </p>
    </Form>
  );
}

/** Asks for confirmation before an endpoint is deleted permanently. */
export function DeleteEndpoint({ endpoint, close }: ConfirmationProps) {
  const remove = useDeleteEndpoint(endpoint.id, () => {
    toast('Endpoint deleted.');
    navigate(hrefOf('endpoints', {}));
  });
  return (
    <Form
      work={remove}
      action="Delete endpoint"
      variant="danger"
      cancel="Keep endpoint"
      submit={() => remove.mutate()}
      close={close}
    >
      <p className="wrap">
        <code>{endpoint.url}</code> receives no more events, and its signing secret is destroyed. This cannot be undone.
        To pause it, disable it instead.
      </p>
    </Form>
  );
}
