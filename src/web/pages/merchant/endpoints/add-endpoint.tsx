import { type FormEvent, useState } from 'react';
import type { EndpointSecret } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useCreateEndpoint } from '../../../api/endpoints.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useMode } from '../../../routing/router.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { bodyOf, EndpointFields, type EndpointWish, type EventTypes } from './endpoint-fields.tsx';
import { EndpointProblem } from './endpoint-problem.tsx';
import { SecretOnce } from './secret-once.tsx';

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

interface AddFormProps {
  readonly types: EventTypes;
  show(made: EndpointSecret): void;
  close(): void;
}

function AddForm({ types, show, close }: AddFormProps) {
  const create = useCreateEndpoint(show);
  const mode = useMode();
  const [wish, setWish] = useState<EndpointWish>({
    url: '',
    description: '',
    events: types.defaultEvents,
    modes: [mode],
    disablesItself: false,
    disablesOnGone: false,
    maxPerSecond: '',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate(bodyOf(wish));
  };
  return (
    <form className="form" onSubmit={submit}>
      <EndpointFields wish={wish} types={types} change={setWish} />
      <EndpointProblem error={create.error} />
      <div className="button-row">
        <Button
          type="submit"
          look="main"
          isBusy={create.isPending}
          disabled={wish.events.length === 0 || wish.modes.length === 0}
        >
          Add endpoint
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
