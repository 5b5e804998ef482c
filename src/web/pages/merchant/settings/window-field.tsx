import type { SettingsInfo } from '../../../../http/console/merchant/settings/schemas.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { ownWindowsText } from './examples.ts';

interface WindowFieldProps {
  readonly info: SettingsInfo;
  /** Empty for the default window of each coin. */
  readonly value: string;
  readonly error: string | null;
  readonly hint: string;
  set(value: string): void;
}

/** Suggested minutes when the merchant first sets one window for all coins. */
const FIRST_MINUTES = '45';

/** The payment window: the default of each coin, or the same for all. */
export function WindowField({ info, value, error, hint, set }: WindowFieldProps) {
  const isOwn = value !== '';
  return (
    <fieldset className="form">
      <legend className="unseen">Payment window</legend>
      <label className="check">
        <input type="radio" name="window" checked={!isOwn} onChange={() => set('')} />
        <span>Default of each coin: {ownWindowsText(info.ownWindows)}</span>
      </label>
      <label className="check">
        <input
          type="radio"
          name="window"
          checked={isOwn}
          onChange={() => set(info.values.windowMinutes === null ? FIRST_MINUTES : String(info.values.windowMinutes))}
        />
        <span>The same for all coins</span>
      </label>
      {isOwn ? (
        <TextField
          label="Minutes to pay"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          error={error}
          hint={hint}
          // An emptied field still means the same window for all coins.
          onChange={(event) => set(event.target.value === '' ? ' ' : event.target.value.trim())}
        />
      ) : null}
      {!isOwn && error !== null ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
