import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
  MINUTE_MS,
  windowMs,
} from '../../../../../machines/index.ts';
import { mailSecurityChange } from '../../../../accounts/index.ts';
import { MAX_IMAGE_BYTES } from '../../../../images/index.ts';
import { changeSettings, MAX_MIN_CONFIRMATIONS, readSettings } from '../../../../merchants/index.ts';
import { dataOf } from '../../schema.ts';
import { requireRecentPassword, requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { changeAs, memberOf } from '../member.ts';
import { previewMail } from './mail-previews.ts';
import { MailPreview, MailQuery, SettingsChangeBody, SettingsInfo, SettingsValues } from './schemas.ts';

/** The settings of a merchant: owners change them, staff can read them. */
export const settingsRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'db' | 'clock' | 'publicUrl'>> = async (
  app,
  deps,
) => {
  app.get('/settings', { schema: { response: { 200: dataOf(SettingsInfo) } } }, async (request) => {
    const { merchantId } = memberOf(request);
    const { name, settings: values } = await readSettings(deps.db, { merchantId });
    return { data: { merchantId, name, values, limits: LIMITS, ownWindows: ownWindows() } };
  });

  const preview = { querystring: MailQuery, response: { 200: dataOf(MailPreview) } };
  app.get('/settings/mail', { schema: preview }, async (request) => {
    const { merchantId } = memberOf(request);
    const { name: shop, settings } = await readSettings(deps.db, { merchantId });
    const { kind = 'first_payment', language = settings.customerLanguage } = request.query;
    return { data: previewMail(kind, { shop, language, publicUrl: deps.publicUrl, now: deps.clock.now() }) };
  });

  const changing = { body: SettingsChangeBody, response: { 200: dataOf(SettingsValues) } };
  const options = { onRequest: requireRole('owner'), schema: changing, bodyLimit: MAX_CHANGE_BYTES };
  app.patch('/settings', options, async (request) => {
    const { body } = request;
    if (acceptsLess(body) || mayMislead(body)) await requireRecentPassword(request);
    const member = memberOf(request);
    const data = await changeAs(deps, member, async (change) => {
      const after = await changeSettings(change, { merchantId: member.merchantId, ...body });
      const subject = acceptsLess(body) ? 'Payments are accepted with less' : 'What customers see has changed';
      const facts = factsOf(body);
      if (facts.length > 0) await mailSecurityChange(change, member, { subject, facts });
      return after;
    });
    return { data };
  });
};

// Helpers

/** A logo is a third larger in base64. */
const MAX_CHANGE_BYTES = 2 * MAX_IMAGE_BYTES;

/**
 * Whether payments would complete with less money or fewer confirmations than before. `seen` can be
 * relied on: a change is rejected when it differs from what is stored.
 */
function acceptsLess({ changes, seen }: SettingsChangeBody): boolean {
  return (
    isLess(seen.toleranceBasisPoints, changes.toleranceBasisPoints) ||
    isLess(changes.minConfirmations, seen.minConfirmations)
  );
}

/** Whether customers may be sent to someone else for help, or hold their quotes for longer. */
function mayMislead(body: SettingsChangeBody): boolean {
  return body.changes.supportContact !== undefined || hasLongerWindow(body);
}

/** Against the default of a coin, which null takes, any window counts as longer. */
function hasLongerWindow({ changes, seen }: SettingsChangeBody): boolean {
  return (changes.windowMinutes ?? 0) > (seen.windowMinutes ?? 0);
}

function isLess(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}

/** What the password was asked for, with the value before. */
function factsOf(body: SettingsChangeBody) {
  const { changes, seen } = body;
  const { toleranceBasisPoints: tolerance, minConfirmations: confirmations, supportContact: contact } = changes;
  const facts: [name: string, value: string][] = [];
  if (tolerance !== undefined && isLess(seen.toleranceBasisPoints, tolerance)) {
    facts.push(['May be missing', `${tolerance / 100} %, before ${(seen.toleranceBasisPoints ?? 0) / 100} %`]);
  }
  if (confirmations !== undefined && isLess(confirmations, seen.minConfirmations)) {
    facts.push(['Minimum confirmations', `${confirmations}, before ${seen.minConfirmations ?? 0}`]);
  }
  if (contact !== undefined)
    facts.push(['Help for customers', `${contact ?? 'none'}, before ${seen.supportContact ?? 'none'}`]);
  if (hasLongerWindow(body)) {
    facts.push([
      'Payment window',
      `${changes.windowMinutes} min, before ${seen.windowMinutes ?? 'the default of each coin'}`,
    ]);
  }
  return facts;
}

const LIMITS = {
  maxToleranceBasisPoints: MAX_TOLERANCE_BASIS_POINTS,
  minWindowMinutes: MIN_WINDOW_MINUTES,
  maxWindowMinutes: MAX_WINDOW_MINUTES,
  maxMinConfirmations: MAX_MIN_CONFIRMATIONS,
};

/** Groups coins with the same default payment window, for merchants that set none. */
function ownWindows(): SettingsInfo['ownWindows'] {
  const minutesOf = (symbol: CryptoSymbol) => windowMs(symbol, null) / MINUTE_MS;
  const lengths = [...new Set(CRYPTO_SYMBOLS.map(minutesOf))].sort((a, b) => a - b);
  return lengths.map((minutes) => ({
    minutes,
    coins: CRYPTO_SYMBOLS.filter((symbol) => minutesOf(symbol) === minutes),
  }));
}
