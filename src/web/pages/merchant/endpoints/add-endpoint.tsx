import { useState } from 'react';
import type { EndpointSecret } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useCreateEndpoint } from '../../../api/endpoints.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate, useMode } from '../../../routing/router.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { bodyOf, type EndpointDraft, EndpointFields, type EventTypes } from './endpoint-fields.tsx';
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
  const [draft, setDraft] = useState<EndpointDraft>({
    url: '',
    description: '',
    events: types.defaultEvents,
    modes: [mode],
    disablesItself: false,
    disablesOnGone: false,
    maxPerSecond: '',
  });
  const submit = () => create.mutate(bodyOf(draft));
  return (
    <Form
      work={create}
      action="Add endpoint"
      isDisabled={draft.events.length === 0 || draft.modes.length === 0}
      problem={<EndpointProblem error={create.error} />}
      submit={submit}
      close={close}
    >
      <EndpointFields draft={draft} types={types} change={setDraft} />
    </Form>
  );
}
