import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  /** Something that was asked for is under way. The button keeps its width and its focus. */
  readonly isBusy?: boolean;
}

/** Something that does something. What leads somewhere is a Link. */
export function Button({ look = 'plain', isBusy = false, children, onClick, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${look} ${className}`}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        // A disabled button would lose the focus; a second press simply does nothing.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}
