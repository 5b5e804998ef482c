import { useState } from 'react';
import type { EndpointSecret } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useCreateEndpoint } from '../../../api/endpoints.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useMode } from '../../../routing/router.ts';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { EndpointForm, type EventTypes } from './endpoint-form.tsx';
import { SecretOnce } from './endpoint-secrets.tsx';

interface AddEndpointProps {
  readonly isOpen: boolean;
  readonly types: EventTypes;
  close(): void;
}

/** Adds an endpoint: a dialog for its settings, a second one for its secret, then its page. */
export function AddEndpoint({ isOpen, types, close }: AddEndpointProps) {
  const [made, setMade] = useState<EndpointSecret | null>(null);
  return (
    <>
      <Dialog title="Add an endpoint" isWide isOpen={isOpen && made === null} close={close}>
        <AddForm types={types} show={setMade} close={close} />
      </Dialog>
      {made === null ? null : (
        <SecretOnce secret={made.secret} close={() => navigate(hrefOf('endpoint', { id: made.id }))} />
      )}
    </>
  );
}

// Helpers

interface AddFormProps extends Pick<AddEndpointProps, 'types' | 'close'> {
  show(made: EndpointSecret): void;
}

function AddForm({ types, show, close }: AddFormProps) {
  const create = useCreateEndpoint(show);
  const start = {
    url: '',
    description: '',
    events: types.defaultEvents,
    modes: [useMode()],
    disablesItself: false,
    disablesOnGone: false,
    maxPerSecond: '',
  };
  return (
    <EndpointForm
      start={start}
      types={types}
      work={create}
      action="Add endpoint"
      send={(body) => create.mutate(body)}
      close={close}
    />
  );
}
