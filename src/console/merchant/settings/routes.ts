import type { FastifyPluginAsync } from 'fastify';
import type { SettingsValues } from '../../contract/settings.ts';
import { type FieldReader, readFields, textUpTo, whole, yesOrNo } from '../../reading.ts';
import { requireRecentPassword, requireRole } from '../../session/index.ts';
import { memberOf } from '../member.ts';
import { acceptsLess } from './accepts-less.ts';
import type { SettingsDesk } from './port.ts';

/** The settings of a merchant: owners change them, staff can read them. */
export const settingsRoutes: FastifyPluginAsync<{ readonly settings: SettingsDesk }> = async (app, { settings }) => {
  app.get('/settings', async (request) => ({ data: await settings.read(memberOf(request)) }));
  app.patch('/settings', { onRequest: requireRole('owner') }, async (request) => {
    const body = readFields(request.body, { changes: values, seen: values });
    if (acceptsLess(body)) await requireRecentPassword(request);
    return { data: await settings.change(memberOf(request), body) };
  });
};

// Helpers

/** The use case checks the range, and its errors state the limits. */
const anyWhole = whole(-1_000_000_000, 1_000_000_000);
/** Above the limit of an address, so that the use case rejects it. */
const MAX_EMAIL_CHARACTERS = 500;

const values: FieldReader<Partial<SettingsValues>> = (value, name) => {
  // Names fields with the object that contains them.
  const within =
    <T>(reader: FieldReader<T>): FieldReader<T | undefined> =>
    (field, fieldName) =>
      field === undefined ? undefined : reader(field, `${name}.${fieldName}`);
  const read = readFields(value, {
    toleranceBasisPoints: within(anyWhole),
    windowMinutes: within(orNull(anyWhole)),
    minConfirmations: within(anyWhole),
    refuseWhenNetworkLags: within(yesOrNo),
    contactEmail: within(textUpTo(MAX_EMAIL_CHARACTERS)),
  });
  return withoutUndefined(read);
};

function orNull<T>(reader: FieldReader<T>): FieldReader<T | null> {
  return (value, name) => (value === null ? null : reader(value, name));
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(record: T): Defined<T> {
  // `Object.fromEntries` loses which name has which type.
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
