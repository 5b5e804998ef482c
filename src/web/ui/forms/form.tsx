import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Problem } from '../problem.tsx';

export interface FormWork {
  readonly error: Error | null;
  readonly isPending: boolean;
}

export interface FormProps {
  /** The request that the form sends, if any. While it runs, the form is not submitted again. */
  readonly work?: FormWork;
  /** What the main button says. */
  readonly action: string;
  readonly variant?: 'main' | 'plain' | 'danger';
  readonly isDisabled?: boolean;
  /** What the other button says. */
  readonly cancel?: string;
  readonly className?: string;
  /** Shown instead of the error of the request; null where a field shows it. */
  readonly problem?: ReactNode;
  submit(): void;
  /** Omitted where there is nothing to go back to. */
  close?(): void;
  /** Next to the buttons. */
  readonly hint?: string;
  readonly children: ReactNode;
}

const NO_WORK: FormWork = { error: null, isPending: false };

/** Fields or a question, the error of the request, and the buttons that send it or leave. */
export function Form(props: FormProps) {
  const {
    work = NO_WORK,
    action,
    variant = 'main',
    isDisabled = false,
    cancel = 'Cancel',
    className = '',
    children,
  } = props;
  const { problem = <Problem error={work.error} />, submit, close, hint } = props;
  return (
    <form
      className={`form ${className}`.trim()}
      onSubmit={(event) => {
        event.preventDefault();
        // In React's tree, unlike in the DOM, the form of a dialog is inside the one behind it.
        event.stopPropagation();
        if (!work.isPending) submit();
      }}
    >
      {children}
      {problem}
      <div className="button-row">
        <Button type="submit" variant={variant} isBusy={work.isPending} disabled={isDisabled}>
          {action}
        </Button>
        {close === undefined ? null : <Button onClick={close}>{cancel}</Button>}
        {hint === undefined ? null : <span className="soft">{hint}</span>}
      </div>
    </form>
  );
}
