import { type ReactNode, useState } from 'react';
import type { ReasonBody } from '../../../http/console/operator/schemas.ts';
import { AreaField } from '../../ui/forms/field.tsx';
import { Form, type FormProps } from '../../ui/forms/form.tsx';

const MAX_REASON_CHARACTERS = 500;

interface ReasonFieldProps {
  readonly hint: string;
  readonly value: string;
  change(reason: string): void;
}

/** Why an operator does something. It is recorded under their name. */
export function ReasonField({ hint, value, change }: ReasonFieldProps) {
  return (
    <AreaField
      label="Reason"
      hint={`Required. ${hint}`}
      required
      maxLength={MAX_REASON_CHARACTERS}
      value={value}
      onChange={(event) => change(event.target.value)}
    />
  );
}

interface ReasonFormProps extends Pick<FormProps, 'work' | 'action' | 'isDisabled' | 'close'> {
  /** Of the reason's field, which follows the children. */
  readonly hint: string;
  submit(recorded: ReasonBody): void;
  readonly children?: ReactNode;
}

/**
 * A form that requires a reason. Its request id stays the same while it is open, so that a second
 * click or a retry after a lost response is the same request.
 */
export function ReasonForm({ hint, isDisabled = false, submit, children, ...form }: ReasonFormProps) {
  const [value, setValue] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const reason = value.trim();
  return (
    <Form {...form} isDisabled={isDisabled || reason === ''} submit={() => submit({ reason, requestId })}>
      {children}
      <ReasonField hint={hint} value={value} change={setValue} />
    </Form>
  );
}
