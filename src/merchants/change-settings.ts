import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../db/index.ts';
import { TerminalError } from '../errors.ts';
import { type Change, writeAudit } from './audit/audit.ts';
import {
  MAX_MIN_CONFIRMATIONS,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  type MerchantSettings,
  MIN_WINDOW_MINUTES,
  NOTICE_SETTINGS,
  withDefaults,
} from './settings.ts';

/** The settings a merchant can change. */
export interface ChangeableSettings extends MerchantSettings {
  /** Where the operator reaches the merchant. It is not a login. */
  readonly contactEmail: string;
}

export interface SettingsChange {
  readonly merchantId: string;
  /** Absent fields stay unchanged. */
  readonly changes: Partial<ChangeableSettings>;
  /** For every changed field, the value that the user had seen. */
  readonly seen: Partial<ChangeableSettings>;
}

/** A merchant's name and settings. Throws a `TerminalError` `NOT_FOUND` when it does not exist. */
export async function readSettings(
  db: Kysely<Database>,
  { merchantId }: { readonly merchantId: string },
): Promise<{ readonly name: string; readonly settings: ChangeableSettings }> {
  const row = await db.selectFrom('merchant').select(COLUMNS).where('id', '=', merchantId).executeTakeFirst();
  if (row === undefined) throw unknownMerchant();
  return { name: row.name, settings: toSettings(row) };
}

/**
 * Changes a merchant's settings, for payments created from now on; open ones keep their terms.
 * Returns all settings after the change. Throws a `TerminalError`: `INVALID_REQUEST` with the field
 * and its limits, and `CONFLICT` when a changed field no longer has the value in `seen`, so that
 * two users do not overwrite each other unnoticed.
 */
export async function changeSettings(
  change: Change,
  { merchantId, changes, seen }: SettingsChange,
): Promise<ChangeableSettings> {
  const wanted = valid(changes);
  const { trx } = change;
  const row = await trx
    .selectFrom('merchant')
    .select(COLUMNS)
    .where('id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw unknownMerchant();
  const before = toSettings(row);
  const names = SETTING_NAMES.filter((name) => wanted[name] !== undefined);
  requireSeen(names, { before, seen });
  const changed = names.filter((name) => wanted[name] !== before[name]);
  if (changed.length === 0) return before;
  const after = { ...before, ...wanted };
  const { contactEmail: email, ...settings } = wanted;
  await trx
    .updateTable('merchant')
    // Settings never set stay absent and keep following the defaults.
    .set({ settings: JSON.stringify({ ...row.settings, ...settings }), ...(email === undefined ? {} : { email }) })
    .where('id', '=', merchantId)
    .execute();
  await writeAudit(change, {
    merchantId,
    what: 'merchant.settings_changed',
    subjectId: merchantId,
    details: forAudit(changed, { before, after }),
  });
  return after;
}

// Helpers

const COLUMNS = ['name', 'email', 'settings'] as const;

const SETTING_NAMES = [
  'toleranceBasisPoints',
  'windowMinutes',
  'minConfirmations',
  'refuseWhenNetworkLags',
  ...NOTICE_SETTINGS,
  'mailCustomerReceipt',
  'mailCustomerLate',
  'customerLanguage',
  'contactEmail',
] as const satisfies readonly (keyof ChangeableSettings)[];

/** RFC 5321, 4.5.3.1.3, without the brackets. */
const MAX_EMAIL_CHARACTERS = 254;
/**
 * The usual form of RFC 5321, in ASCII, without quoted parts, so that it injects no mail header.
 */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{1,63}$/;

function toSettings({
  email,
  settings,
}: Pick<Selectable<Database['merchant']>, 'email' | 'settings'>): ChangeableSettings {
  return { ...withDefaults(settings), contactEmail: email };
}

/** The changes, if all are within their limits. Throws `INVALID_REQUEST` otherwise. */
function valid(changes: Partial<ChangeableSettings>): Partial<ChangeableSettings> {
  const { toleranceBasisPoints, windowMinutes, minConfirmations, contactEmail } = changes;
  requireWhole('toleranceBasisPoints', toleranceBasisPoints, {
    min: 0,
    max: MAX_TOLERANCE_BASIS_POINTS,
    unit: 'hundredths of a percent',
  });
  requireWhole('windowMinutes', windowMinutes ?? undefined, {
    min: MIN_WINDOW_MINUTES,
    max: MAX_WINDOW_MINUTES,
    unit: 'minutes, or null for the time of each coin',
  });
  requireWhole('minConfirmations', minConfirmations, { min: 1, max: MAX_MIN_CONFIRMATIONS, unit: 'confirmations' });
  if (contactEmail === undefined) return changes;
  const address = contactEmail.trim();
  if (address.length > MAX_EMAIL_CHARACTERS || !EMAIL.test(address)) {
    throw invalid('contactEmail', 'must be an e-mail address like name@shop.example');
  }
  return { ...changes, contactEmail: address };
}

function requireWhole(
  field: keyof ChangeableSettings,
  value: number | undefined,
  { min, max, unit }: { readonly min: number; readonly max: number; readonly unit: string },
): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw invalid(field, `must be a whole number from ${min} to ${max} (${unit})`);
}

function requireSeen(
  names: readonly (keyof ChangeableSettings)[],
  { before, seen }: { readonly before: ChangeableSettings; readonly seen: Partial<ChangeableSettings> },
): void {
  const unseen = names.find((name) => seen[name] === undefined);
  if (unseen !== undefined) throw invalid(`seen.${unseen}`, `must be the value of ${unseen} that you are changing`);
  const moved = names.filter((name) => seen[name] !== before[name]);
  if (moved.length === 0) return;
  // Error messages get logged and forwarded, so they do not contain the address.
  const changes = moved.map((name) => (name === 'contactEmail' ? name : `${name} (now ${String(before[name])})`));
  throw new TerminalError(
    'CONFLICT',
    `Another user has changed ${changes.join(', ')} meanwhile, so nothing was saved; look at it again and save once more`,
  );
}

/** The audit log records that the address changed, but no address. */
function forAudit(
  names: readonly (keyof ChangeableSettings)[],
  { before, after }: { readonly before: ChangeableSettings; readonly after: ChangeableSettings },
): Record<string, unknown> {
  const plain = names.filter((name) => name !== 'contactEmail');
  const valuesIn = (settings: ChangeableSettings) => Object.fromEntries(plain.map((name) => [name, settings[name]]));
  return {
    ...(plain.length === 0 ? {} : { before: valuesIn(before), after: valuesIn(after) }),
    ...(names.includes('contactEmail') ? { contactEmail: 'changed' } : {}),
  };
}

function invalid(field: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${field} ${problem}`, { field });
}

function unknownMerchant(): TerminalError {
  return new TerminalError('NOT_FOUND', 'There is no such merchant; sign in again');
}
