import { useState } from 'react';
import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useRegenerateSecret, useRotateSecret } from '../../../api/endpoints.ts';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ShownOnce } from '../../../ui/windows/shown-once.tsx';
import { Verification } from './verification.tsx';

interface SecretOnceProps {
  readonly secret: string;
  close(): void;
}

/** A signing secret, shown once, and how a receiver uses it. */
export function SecretOnce({ secret, close }: SecretOnceProps) {
  return (
    <ShownOnce title="The signing secret" label="the secret" value={secret} close={close}>
      <p>
        Every event is signed with it. Add it to your server, so that it can reject forged events. Each endpoint has its
        own secret.
      </p>
      <details>
        <summary>How to verify the signature</summary>
        <Verification />
      </details>
    </ShownOnce>
  );
}

interface ReplaceSecretProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

/** Replaces the signing secret; the old one stops signing immediately. */
export function NewSecret({ endpoint, close }: ReplaceSecretProps) {
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
        action="Generate a new secret"
        variant="danger"
        cancel="Keep the old secret"
        submit={() => regenerate.mutate()}
        close={leave}
      >
        <p className="notice">
          <span>
            The old secret stops working immediately. Until your server has the new one, it rejects our events. Each is
            retried for a day, so none are lost if you update it in time.
          </span>
        </p>
        <p>Open your server’s settings before you continue.</p>
      </Form>
    </Dialog>
  );
}

const OVERLAPS: readonly (readonly [label: string, hours: number])[] = [
  ['1 hour', 1],
  ['6 hours', 6],
  ['24 hours', 24],
];
const USUAL_OVERLAP_HOURS = 24;

/** A new secret, while the previous one also signs for some hours. */
export function RotateSecret({ endpoint, close }: ReplaceSecretProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [overlapHours, setOverlapHours] = useState(USUAL_OVERLAP_HOURS);
  const rotate = useRotateSecret(endpoint.id, (made) => setSecret(made.secret));
  if (secret !== null) return <SecretOnce secret={secret} close={close} />;
  // The dialog stays open during the request, because the secret is shown only once.
  const leave = () => (rotate.isPending ? undefined : close());
  const submit = () => rotate.mutate({ overlapHours });
  return (
    <Dialog title="Rotate the secret with overlap" isOpen close={leave}>
      <Form work={rotate} action="Rotate the secret" submit={submit} close={leave}>
        <p>
          You receive a new secret. Until the overlap ends, <code>webhook-signature</code> carries a signature of each
          secret, so a receiver that checks this header accepts either.
        </p>
        <p className="notice">
          <span>
            <code>X-Service-Signature</code> uses the new secret immediately. If your receiver checks that header, or
            the old secret has leaked, choose New secret instead.
          </span>
        </p>
        <SelectField
          label="The previous secret also signs for"
          hint="After that, only the new secret is used."
          value={overlapHours}
          onChange={(event) => setOverlapHours(Number(event.target.value))}
        >
          {OVERLAPS.map(([label, hours]) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </SelectField>
      </Form>
    </Dialog>
  );
}
