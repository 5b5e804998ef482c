import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import type { EndpointWish } from './endpoint-fields.tsx';
import { MODE_LABELS } from './labels.ts';

interface ModeChoiceProps {
  readonly wish: EndpointWish;
  change(wish: EndpointWish): void;
}

/** The modes whose events the endpoint receives. At least one must be chosen. */
export function ModeChoice({ wish, change }: ModeChoiceProps) {
  const choose = (mode: Mode, isChosen: boolean) =>
    change({ ...wish, modes: MODES.filter((each) => (each === mode ? isChosen : wish.modes.includes(each))) });
  return (
    <fieldset className="choices">
      <legend>Events of</legend>
      {MODES.map((mode) => (
        <label key={mode} className="choice">
          <input
            type="checkbox"
            checked={wish.modes.includes(mode)}
            onChange={(event) => choose(mode, event.target.checked)}
          />
          <span>{MODE_LABELS[mode]}</span>
        </label>
      ))}
      {wish.modes.length === 0 ? (
        <p className="field-error" role="alert">
          Choose live payments, test payments or both.
        </p>
      ) : null}
      {wish.modes.length === 2 ? (
        <p className="soft">
          Check <code>mode</code> of every event: test payments are not paid, and anybody with your publishable test key
          can make them.
        </p>
      ) : null}
    </fieldset>
  );
}

// Helpers

const MODES: readonly Mode[] = ['live', 'test'];
