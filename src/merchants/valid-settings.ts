import { MAX_TOLERANCE_BASIS_POINTS, MAX_WINDOW_MINUTES, MIN_WINDOW_MINUTES } from '../../machines/index.ts';
import { isEmailAddress } from '../platform/email-address.ts';
import { TerminalError } from '../platform/errors.ts';
import { readBrandColour, readSupportContact } from './brand.ts';
import { type ChangeableSettings, MAX_MIN_CONFIRMATIONS } from './settings.ts';

/**
 * The changes in the form that is stored; the logo is still an image. Throws `INVALID_REQUEST`
 * (`TerminalError`) with the field for a value beyond its limits.
 */
export function validSettings(changes: Partial<ChangeableSettings>): Partial<ChangeableSettings> {
  const { toleranceBasisPoints, windowMinutes, minConfirmations, contactEmail, brandColour, supportContact } = changes;
  requireInteger('toleranceBasisPoints', toleranceBasisPoints, {
    min: 0,
    max: MAX_TOLERANCE_BASIS_POINTS,
    unit: 'hundredths of a percent',
  });
  requireInteger('windowMinutes', windowMinutes ?? undefined, {
    min: MIN_WINDOW_MINUTES,
    max: MAX_WINDOW_MINUTES,
    unit: "minutes, or null for the coin's default",
  });
  requireInteger('minConfirmations', minConfirmations, { min: 1, max: MAX_MIN_CONFIRMATIONS, unit: 'confirmations' });
  return {
    ...changes,
    ...(contactEmail === undefined ? {} : { contactEmail: readContactEmail(contactEmail) }),
    ...(isGiven(brandColour) ? { brandColour: readBrandColour(brandColour, 'brandColour') } : {}),
    ...(isGiven(supportContact) ? { supportContact: readSupportContact(supportContact, 'supportContact') } : {}),
  };
}

// Helpers

function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null;
}

function readContactEmail(text: string): string {
  const address = text.trim();
  if (!isEmailAddress(address)) throw invalid('contactEmail', 'must be an email address such as name@shop.example');
  return address;
}

function requireInteger(
  field: keyof ChangeableSettings,
  value: number | undefined,
  { min, max, unit }: { readonly min: number; readonly max: number; readonly unit: string },
): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw invalid(field, `must be a whole number from ${min} to ${max} (${unit})`);
}

function invalid(field: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${field} ${problem}`, { field });
}
