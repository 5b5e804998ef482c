import { useState } from 'react';
import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useRotateSecret } from '../../../api/endpoints.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { SecretOnce } from './secret-once.tsx';

interface RotateSecretProps {
  readonly endpoint: EndpointInfo;
  close(): void;
}

const OVERLAPS: readonly (readonly [label: string, hours: number])[] = [
  ['1 hour', 1],
  ['6 hours', 6],
  ['24 hours', 24],
];
const USUAL_OVERLAP_HOURS = 24;

/** A new secret, while the previous one also signs for some hours. */
export function RotateSecret({ endpoint, close }: RotateSecretProps) {
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
          You get a new secret. Until the overlap ends, <code>webhook-signature</code> carries a signature of each
          secret, so a receiver that checks this header accepts events with either.
        </p>
        <p className="notice">
          <span>
            <code>X-Service-Signature</code> is of the new secret at once. If your receiver checks that header, or the
            old secret has leaked, choose New secret instead.
          </span>
        </p>
        <SelectField
          label="The previous secret signs too for"
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
