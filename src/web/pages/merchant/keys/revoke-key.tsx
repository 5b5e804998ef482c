import { useState } from 'react';
import type { KeyInfo } from '../../../../http/console/merchant/keys/schemas.ts';
import { useRevokeKey } from '../../../api/keys.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { nameOf } from './labels.ts';

interface RevokeKeyProps {
  readonly info: KeyInfo;
  close(): void;
}

/**
 * Revokes a key immediately and permanently. Asks for its last four characters, to make sure that
 * it is the right one.
 */
export function RevokeKey({ info, close }: RevokeKeyProps) {
  const revoke = useRevokeKey(info.id);
  const [typed, setTyped] = useState('');
  const submit = () => {
    if (typed.trim() !== info.hint) return;
    revoke.mutate(undefined, toastAndClose('Key revoked.', close));
  };
  return (
    <Form
      work={revoke}
      action="Revoke key"
      variant="danger"
      isDisabled={typed.trim() !== info.hint}
      cancel="Keep key"
      submit={submit}
      close={close}
    >
      <p className="wrap">
        Every program that uses <strong>{nameOf(info)}</strong> is rejected immediately. This cannot be undone. Open
        payments are not affected.
      </p>
      <p className={info.lastUsedAt === null ? 'soft' : 'notice'}>
        {info.lastUsedAt === null ? (
          'It has never been used.'
        ) : (
          <span>
            It was used <Timestamp at={info.lastUsedAt} />. If your shop still needs it, replace it instead.
          </span>
        )}
      </p>
      <TextField
        label={`Type ${info.hint} to confirm`}
        autoComplete="off"
        spellCheck={false}
        className="input mono"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Form>
  );
}
