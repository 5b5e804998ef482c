import { scrubText } from '../log.ts';
import type { Setting } from './settings.ts';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings one by one and collects errors; each starts with the variable's name. */
export interface SettingReader {
  readonly errors: string[];
  /** The text of a variable, or null when it is unset or empty. */
  given(name: string): string | null;
  required<T>(setting: Setting<T>): T;
  optional<T>(setting: Setting<T>): T | null;
}

/** After an error the default is used, so that later errors are found too. */
export function createSettingReader(env: Environment): SettingReader {
  const errors: string[] = [];
  const given = (name: string) => env[name]?.trim() || null;

  function optional<T>(setting: Setting<T>): T | null {
    const text = given(setting.name);
    if (text === null) return null;
    const parsed = setting.parse(text);
    if (parsed.ok) return parsed.value;
    const shown = setting.isSecret ? 'its value' : shownValue(text);
    errors.push(`${setting.name}: ${shown} ${parsed.problem}.`);
    return null;
  }

  function required<T>(setting: Setting<T>): T {
    const text = given(setting.name);
    const parsed = text === null ? null : setting.parse(text);
    // Check `parsed`, not the value: null can be a valid value.
    if (parsed?.ok) return parsed.value;
    optional(setting);
    const fallback = setting.parse(setting.fallback);
    if (!fallback.ok) throw new Error(`the default of ${setting.name} ${fallback.problem}`);
    return fallback.value;
  }

  return { errors, given, required, optional };
}

/** Reports an error if exactly one of two interdependent settings is set. */
export function rejectHalf(reader: SettingReader, ...pair: readonly [Setting<unknown>, Setting<unknown>]): void {
  const [given, missing] = [
    pair.find(({ name }) => reader.given(name) !== null),
    pair.find(({ name }) => reader.given(name) === null),
  ];
  if (given === undefined || missing === undefined) return;
  reader.errors.push(`${missing.name}: is not set although ${given.name} is; set both or neither.`);
}

// Helpers

const SHOWN_CHARACTERS = 60;

/** The value for a message: truncated, quoted, secrets (set in the wrong variable) redacted. */
function shownValue(text: string): string {
  const scrubbed = scrubText(text);
  return JSON.stringify(scrubbed.length > SHOWN_CHARACTERS ? `${scrubbed.slice(0, SHOWN_CHARACTERS)}…` : scrubbed);
}
