import { useState } from 'react';
import { Button } from './button.tsx';
import { SelectField } from './field.tsx';

interface AdvanceClockProps {
  /** Seconds, and how they are called. The first is chosen at the beginning. */
  readonly steps: readonly (readonly [seconds: number, name: string])[];
  readonly hint?: string | undefined;
  readonly isBusy: boolean;
  readonly onAdvance: (seconds: number) => void;
}

/** Moves the clock of one test payment or recurring request forward. */
export function AdvanceClock({ steps, hint, isBusy, onAdvance }: AdvanceClockProps) {
  const [seconds, setSeconds] = useState<number>(steps[0]?.[0] ?? 0);
  return (
    <div className="advance-clock">
      <SelectField
        label="Its clock"
        value={seconds}
        onChange={(event) => setSeconds(Number(event.target.value))}
        hint={hint}
      >
        {steps.map(([step, name]) => (
          <option key={step} value={step}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button isBusy={isBusy} onClick={() => onAdvance(seconds)}>
        Move forward
      </Button>
    </div>
  );
}
