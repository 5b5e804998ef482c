import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useDeleteEndpoint } from '../../../api/endpoints.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate } from '../../../routing/router.ts';
import { toast } from '../../../state/toasts.ts';
import { Form } from '../../../ui/form.tsx';

interface DeleteEndpointProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

/** Asks for confirmation before an endpoint is deleted permanently. */
export function DeleteEndpoint({ endpoint, close }: DeleteEndpointProps) {
  const remove = useDeleteEndpoint(endpoint.id, () => {
    toast('Endpoint deleted.');
    navigate(hrefOf('endpoints', {}));
  });
  return (
    <Form work={remove} action="Delete it" look="danger" cancel="Keep it" submit={() => remove.mutate()} close={close}>
      <p className="wrap">
        <code>{endpoint.url}</code> receives no more events, and its signing secret is destroyed. This cannot be undone.
        To stop it for a while, disable it instead.
      </p>
    </Form>
  );
}
