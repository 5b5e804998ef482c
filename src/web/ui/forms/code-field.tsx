import { TextField } from './field.tsx';

interface CodeFieldProps {
  readonly value: string;
  readonly error: string | null;
  change(value: string): void;
}

/** Input for the second factor. */
export function CodeField({ value, error, change }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      hint="From the app, or a recovery code."
      autoComplete="one-time-code"
      autoCapitalize="none"
      required
      value={value}
      error={error}
      onChange={(event) => change(event.target.value)}
    />
  );
}
