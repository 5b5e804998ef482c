import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useDeleteEndpoint } from '../../../api/endpoints.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate } from '../../../routing/router.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';

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
    <div className="form">
      <p className="wrap">
        <code>{endpoint.url}</code> receives no more events, and its signing secret is destroyed. This cannot be undone.
        To stop it for a while, disable it instead.
      </p>
      {remove.error === null ? null : <Problem error={remove.error} />}
      <div className="button-row">
        <Button look="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Delete it
        </Button>
        <Button onClick={close}>Keep it</Button>
      </div>
    </div>
  );
}
