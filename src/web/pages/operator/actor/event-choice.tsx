import type { AcceptedEvent } from '../../../../http/console/operator/schemas.ts';
import { SelectField } from '../../../ui/forms/field.tsx';

interface EventChoiceProps {
  readonly events: readonly AcceptedEvent[];
  /** Type of the chosen event; empty for none. */
  readonly value: string;
  /** Events without an effect cannot be chosen. */
  readonly onlyEnabled?: boolean;
  change(type: string): void;
}

/** The events an actor accepts, those without effect with the reason. None is preselected. */
export function EventChoice({ events, value, onlyEnabled = false, change }: EventChoiceProps) {
  return (
    <SelectField label="Event" required value={value} onChange={(event) => change(event.target.value)}>
      <option value="" disabled>
        Choose an event…
      </option>
      {events.map(({ type, label, isEnabled, whyNot }) => (
        <option key={type} value={type} disabled={onlyEnabled && !isEnabled}>
          {whyNot === null ? label : `${label} (${whyNot})`}
        </option>
      ))}
    </SelectField>
  );
}
