import { useState } from 'react';
import { Button } from '../button.tsx';
import { SelectField } from './field.tsx';

interface AdvanceClockProps {
  /** Seconds and their label, in display order. */
  readonly steps: readonly (readonly [seconds: number, name: string])[];
  /** Seconds that are selected at first; the first step by default. */
  readonly preset?: number;
  readonly hint?: string | undefined;
  readonly isBusy: boolean;
  readonly onAdvance: (seconds: number) => void;
}

/** Moves the clock of one test payment or recurring request forward. */
export function AdvanceClock({ steps, preset = steps[0]?.[0] ?? 0, hint, isBusy, onAdvance }: AdvanceClockProps) {
  const [seconds, setSeconds] = useState(preset);
  return (
    <div className="advance-clock">
      <SelectField
        label="Test clock"
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
