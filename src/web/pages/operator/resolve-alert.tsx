import { useState } from 'react';
import type { SystemHealth } from '../../../http/console/operations/schemas.ts';
import { useResolveAlert } from '../../api/operator.ts';
import { toastAndClose } from '../../state/toasts.ts';
import { Form } from '../../ui/form.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { AlertTitle } from './alert-title.tsx';
import { ReasonField } from './reason-field.tsx';

interface ResolveAlertProps {
  readonly alert: SystemHealth['alerts'][number];
  close(): void;
}

/** Resolves an alert and records the reason. */
export function ResolveAlert({ alert, close }: ResolveAlertProps) {
  const resolve = useResolveAlert();
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const submit = () =>
    resolve.mutate({ id: alert.id, reason: reason.trim(), requestId }, toastAndClose('Alert resolved.', close));
  return (
    <Form work={resolve} action="Resolve alert" isDisabled={reason.trim() === ''} submit={submit} close={close}>
      <p>
        <AlertTitle alert={alert} /> <Timestamp at={alert.at} />
      </p>
      <p className="wrap">{alert.detail}</p>
      <ReasonField hint="What you did about it. Recorded with your name." value={reason} change={setReason} />
    </Form>
  );
}
