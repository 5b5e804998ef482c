import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'main' | 'plain' | 'quiet' | 'danger';
  /** A request is running. The button keeps its width and its focus. */
  readonly isBusy?: boolean;
}

/** A button for an action. For navigation, use Link. */
export function Button({ variant = 'plain', isBusy = false, children, onClick, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        // A disabled button would lose the focus, so further presses are ignored instead.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}
