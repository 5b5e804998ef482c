import { useState } from 'react';
import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useRegenerateSecret } from '../../../api/endpoints.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { SecretOnce } from './secret-once.tsx';

interface NewSecretProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

/** Replaces the signing secret; the old one stops signing immediately. */
export function NewSecret({ endpoint, close }: NewSecretProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const regenerate = useRegenerateSecret(endpoint.id, (made) => setSecret(made.secret));
  if (secret !== null) return <SecretOnce secret={secret} close={close} />;
  // The dialog stays open during the request: closing it would end the old secret without showing
  // the new one.
  const leave = () => (regenerate.isPending ? undefined : close());
  return (
    <Dialog title="New secret" isOpen close={leave}>
      <Form
        work={regenerate}
        action="Make a new secret"
        look="danger"
        cancel="Keep the old one"
        submit={() => regenerate.mutate()}
        close={leave}
      >
        <p className="notice">
          <span>
            The old secret ends at once. Until your server knows the new one, it refuses our events; each is tried again
            for a day, so nothing is lost when you are quick.
          </span>
        </p>
        <p>Have the settings of your server open before you go on.</p>
      </Form>
    </Dialog>
  );
}
