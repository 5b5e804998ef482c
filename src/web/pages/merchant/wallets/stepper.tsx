import '../../../styles/wallets.css';
import { type ReactNode, useEffect, useRef } from 'react';

interface StepperProps {
  readonly label: string;
  readonly steps: readonly string[];
  /** Index of the current step. */
  readonly current: number;
}

export function Stepper({ label, steps, current }: StepperProps) {
  return (
    <ol className="stepper" aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < current ? 'stepper-step is-done' : 'stepper-step'}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className="stepper-number" aria-hidden="true">
            {index < current ? '✓' : index + 1}
          </span>
          <span>
            {step}
            {index < current ? <span className="unseen"> (done)</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

/**
 * The heading of a step. It takes the focus, which would otherwise stay on the previous step's
 * button.
 */
export function StepHeading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="step-heading">
      {children}
    </h2>
  );
}
