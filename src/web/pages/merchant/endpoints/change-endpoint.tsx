import { useState } from 'react';
import type { EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Form } from '../../../ui/form.tsx';
import { bodyOf, type EndpointDraft, EndpointFields } from './endpoint-fields.tsx';
import { EndpointProblem } from './endpoint-problem.tsx';

interface ChangeEndpointProps {
  readonly detail: EndpointDetail;
  close(): void;
}

export function ChangeEndpoint({ detail, close }: ChangeEndpointProps) {
  const { url, description, events, modes, disablesItself, disablesOnGone, maxPerSecond } = detail.endpoint;
  const change = useChangeEndpoint(detail.endpoint.id);
  const [draft, setDraft] = useState<EndpointDraft>({
    url,
    description,
    events,
    modes,
    disablesItself,
    disablesOnGone,
    maxPerSecond: maxPerSecond === null ? '' : String(maxPerSecond),
  });
  const submit = () =>
    change.mutate(bodyOf(draft), {
      onSuccess: () => {
        toast('Endpoint saved.');
        close();
      },
    });
  return (
    <Form
      work={change}
      action="Save"
      isDisabled={draft.events.length === 0 || draft.modes.length === 0}
      problem={<EndpointProblem error={change.error} />}
      submit={submit}
      close={close}
    >
      <EndpointFields draft={draft} types={detail} change={setDraft} />
    </Form>
  );
}
