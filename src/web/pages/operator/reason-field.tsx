import { AreaField } from '../../ui/field.tsx';

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
      hint={hint}
      required
      maxLength={MAX_REASON_CHARACTERS}
      value={value}
      onChange={(event) => change(event.target.value)}
    />
  );
}
