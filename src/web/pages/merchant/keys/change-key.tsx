import { useState } from 'react';
import type { KeyInfo } from '../../../../http/console/merchant/keys/schemas.ts';
import { useChangeKey } from '../../../api/keys.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { hintOf } from './labels.ts';

interface ChangeKeyProps {
  readonly info: KeyInfo;
  close(): void;
}

/**
 * Changes a key's name, and whether a customer may have several open payments. The key itself stays
 * valid.
 */
export function ChangeKey({ info, close }: ChangeKeyProps) {
  const change = useChangeKey(info.id);
  const [name, setName] = useState(info.name);
  const [isOneAtATime, setIsOneAtATime] = useState(info.oneOpenPaymentPerIp);
  const submit = () =>
    change.mutate({ name: name.trim(), oneOpenPaymentPerIp: isOneAtATime }, toastAndClose('Key saved.', close));
  return (
    <Form work={change} action="Save" submit={submit} close={close}>
      <p>
        <code>{hintOf(info)}</code> itself does not change; your shop needs no update.
      </p>
      <TextField
        label="Name"
        hint="What uses it, for example “Web shop”."
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <CheckField
        label="One open payment at a time per customer IP address"
        checked={isOneAtATime}
        onChange={(event) => setIsOneAtATime(event.target.checked)}
      />
    </Form>
  );
}
