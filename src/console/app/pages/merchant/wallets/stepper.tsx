import { type ReactNode, useEffect, useRef } from 'react';

interface StepperProps {
  readonly label: string;
  readonly steps: readonly string[];
  /** Place of the step under way. */
  readonly current: number;
}

/** How far one has come in something that is done step by step. */
export function Stepper({ label, steps, current }: StepperProps) {
  return (
    <ol className="stepper" aria-label={label}>
      {steps.map((step, place) => (
        <li
          key={step}
          className={place < current ? 'stepper-step is-done' : 'stepper-step'}
          aria-current={place === current ? 'step' : undefined}
        >
          <span className="stepper-number" aria-hidden="true">
            {place < current ? '✓' : place + 1}
          </span>
          <span>
            {step}
            {place < current ? <span className="unseen"> (done)</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The beginning of a step. It takes the focus, so that nobody is left where the last button was. */
export function StepHeading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className="step-heading">
      {children}
    </h2>
  );
}
