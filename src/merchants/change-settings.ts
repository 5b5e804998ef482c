import type { Kysely, Selectable } from 'kysely';
import { imageIdOf, readImage, replaceImages } from '../images/index.ts';
import type { Database } from '../platform/db/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { type AuditedChange, writeAudit } from './audit/audit.ts';
import { type ChangeableSettings, NOTICE_SETTINGS, withDefaults } from './settings.ts';
import { validSettings } from './valid-settings.ts';

export interface SettingsChange {
  readonly merchantId: string;
  /** Absent fields stay unchanged. A new `logo` is the image itself, as a base64 data URL. */
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
  change: AuditedChange,
  { merchantId, changes, seen }: SettingsChange,
): Promise<ChangeableSettings> {
  const { trx } = change;
  const valid = await withLogo(change, validSettings(changes), seen.logo ?? null);
  const row = await trx
    .selectFrom('merchant')
    .select(COLUMNS)
    .where('id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw unknownMerchant();
  const before = toSettings(row);
  const names = SETTING_NAMES.filter((name) => valid[name] !== undefined);
  requireSeen(names, { before, seen });
  const changed = names.filter((name) => valid[name] !== before[name]);
  if (changed.length === 0) return before;
  const after = { ...before, ...valid };
  const { contactEmail: email, ...settings } = valid;
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
  'logo',
  'brandColour',
  'supportContact',
  'recommendedCrypto',
  'contactEmail',
] as const satisfies readonly (keyof ChangeableSettings)[];

/** Recorded in the audit log as changed only: error messages and the log contain no address. */
const ADDRESSES: readonly (keyof ChangeableSettings)[] = ['supportContact', 'contactEmail'];

function toSettings({
  email,
  settings,
}: Pick<Selectable<Database['merchant']>, 'email' | 'settings'>): ChangeableSettings {
  return { ...withDefaults(settings), contactEmail: email };
}

/** The changes with the id of the stored logo in place of the image, which replaces `oldLogo`. */
async function withLogo(
  { trx, now }: AuditedChange,
  changes: Partial<ChangeableSettings>,
  oldLogo: string | null,
): Promise<Partial<ChangeableSettings>> {
  const { logo } = changes;
  if (logo === undefined) return changes;
  const image = logo === null ? null : readImage(logo, 'logo');
  await replaceImages(trx, [{ oldId: oldLogo, image }], now);
  return { ...changes, logo: image === null ? null : imageIdOf(image) };
}

function requireSeen(
  names: readonly (keyof ChangeableSettings)[],
  { before, seen }: { readonly before: ChangeableSettings; readonly seen: Partial<ChangeableSettings> },
): void {
  const unseen = names.find((name) => seen[name] === undefined);
  if (unseen !== undefined) {
    const field = `seen.${unseen}`;
    throw new TerminalError('INVALID_REQUEST', `${field} must be the value of ${unseen} that you are changing`, {
      field,
    });
  }
  const moved = names.filter((name) => seen[name] !== before[name]);
  if (moved.length === 0) return;
  const changes = moved.map((name) => (ADDRESSES.includes(name) ? name : `${name} (now ${String(before[name])})`));
  throw new TerminalError(
    'CONFLICT',
    `Another user has changed ${changes.join(', ')} in the meantime, so nothing was saved; review the settings and save again`,
  );
}

function forAudit(
  names: readonly (keyof ChangeableSettings)[],
  { before, after }: { readonly before: ChangeableSettings; readonly after: ChangeableSettings },
): Record<string, unknown> {
  const plain = names.filter((name) => !ADDRESSES.includes(name));
  const addresses = names.filter((name) => ADDRESSES.includes(name));
  const valuesIn = (settings: ChangeableSettings) => Object.fromEntries(plain.map((name) => [name, settings[name]]));
  return {
    ...(plain.length === 0 ? {} : { before: valuesIn(before), after: valuesIn(after) }),
    ...Object.fromEntries(addresses.map((name) => [name, 'changed'])),
  };
}

function unknownMerchant(): TerminalError {
  return new TerminalError('NOT_FOUND', 'Merchant not found; sign in again');
}
