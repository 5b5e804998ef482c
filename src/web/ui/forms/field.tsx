import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode | undefined;
  readonly error?: string | null | undefined;
  /** Hides the label visually, where the context shows it already. */
  readonly hasHiddenLabel?: boolean | undefined;
}

type TextFieldProps = FieldProps & ComponentProps<'input'>;
type SelectFieldProps = FieldProps & SelectHTMLAttributes<HTMLSelectElement>;
type AreaFieldProps = FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>;

/** A single-line field with label, hint and error, associated for assistive technology. */
export function TextField({ label, hint, error, hasHiddenLabel, ...input }: TextFieldProps) {
  return (
    <Labelled field={{ label, hint, error: error ?? null, hasHiddenLabel: hasHiddenLabel ?? false }} id={input.id}>
      {(aria) => <input className="input" {...input} {...aria} />}
    </Labelled>
  );
}

export function SelectField({ label, hint, error, hasHiddenLabel, ...select }: SelectFieldProps) {
  return (
    <Labelled field={{ label, hint, error: error ?? null, hasHiddenLabel: hasHiddenLabel ?? false }} id={select.id}>
      {(aria) => <select className="input" {...select} {...aria} />}
    </Labelled>
  );
}

export function AreaField({ label, hint, error, hasHiddenLabel, ...area }: AreaFieldProps) {
  return (
    <Labelled field={{ label, hint, error: error ?? null, hasHiddenLabel: hasHiddenLabel ?? false }} id={area.id}>
      {(aria) => <textarea className="input" rows={3} {...area} {...aria} />}
    </Labelled>
  );
}

interface CheckFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
}

export function CheckField({ label, ...input }: CheckFieldProps) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}

// Helpers

interface LabelledProps {
  readonly field: Required<FieldProps>;
  readonly id: string | undefined;
  readonly children: (aria: Aria) => ReactNode;
}

interface Aria {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

function Labelled({ field, id, children }: LabelledProps) {
  const own = useId();
  const inputId = id ?? own;
  const hasHint = field.hint !== undefined && field.hint !== null;
  const describedBy = [hasHint ? `${inputId}-hint` : '', field.error === null ? '' : `${inputId}-error`]
    .join(' ')
    .trim();
  return (
    <div className="field">
      <label htmlFor={inputId} className={field.hasHiddenLabel ? 'unseen' : 'field-label'}>
        {field.label}
      </label>
      {children({
        id: inputId,
        'aria-invalid': field.error === null ? undefined : true,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {hasHint ? (
        <p id={`${inputId}-hint`} className="field-hint">
          {field.hint}
        </p>
      ) : null}
      {field.error === null ? null : (
        <p id={`${inputId}-error`} className="field-error" role="alert">
          {field.error}
        </p>
      )}
    </div>
  );
}
