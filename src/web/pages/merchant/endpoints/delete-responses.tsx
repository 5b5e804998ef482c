import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useDeleteResponses } from '../../../api/endpoints.ts';
import { toast } from '../../../state/toasts.ts';
import { Form } from '../../../ui/form.tsx';

interface DeleteResponsesProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

/** Asks for confirmation before the stored answers of an endpoint are deleted. */
export function DeleteResponses({ endpoint, close }: DeleteResponsesProps) {
  const remove = useDeleteResponses(endpoint.id);
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess: ({ deleted }) => {
        const answers = deleted === 1 ? '1 answer is' : `${deleted.toLocaleString('en')} answers are`;
        toast(deleted === 0 ? 'There was no stored response.' : `${answers} deleted.`);
        close();
      },
    });
  return (
    <Form work={remove} action="Delete answers" look="danger" cancel="Keep them" submit={submit} close={close}>
      <p className="wrap">
        The body and headers of everything that <code>{endpoint.url}</code> has answered so far are deleted from the
        log. Status, failures and times stay, and so does what was sent. This cannot be undone.
      </p>
    </Form>
  );
}
