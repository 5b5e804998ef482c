import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  ASSETS,
  CRYPTO_SYMBOLS,
  type CryptoSymbol,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
  MINUTE_MS,
  windowMs,
} from '../../../../../machines/index.ts';
import { emailSecurityChange } from '../../../../accounts/index.ts';
import { MAX_IMAGE_BYTES } from '../../../../images/index.ts';
import { changeSettings, MAX_MIN_CONFIRMATIONS, readSettings } from '../../../../merchants/index.ts';
import { requireRecentPassword, requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { changeAsMember, memberOf } from '../member.ts';
import { previewEmail } from './email-previews.ts';
import { EmailQuery, SettingsChangeBody, type SettingsInfo } from './schemas.ts';
import { sensitiveChangeOf } from './sensitive-change.ts';

/** The settings of a merchant: owners change them, staff can read them. */
export const settingsRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'db' | 'clock' | 'publicUrl'>> = async (
  app,
  deps,
) => {
  app.get('/settings', async (request) => {
    const { merchantId } = memberOf(request);
    const { name, settings: values } = await readSettings(deps.db, { merchantId });
    return {
      data: { merchantId, name, values, limits: LIMITS, coins: COINS, ownWindows: ownWindows() } satisfies SettingsInfo,
    };
  });

  app.get('/settings/mail', { schema: { querystring: EmailQuery } }, async (request) => {
    const { merchantId } = memberOf(request);
    const { name: shop, settings } = await readSettings(deps.db, { merchantId });
    const { kind = 'first_payment', language = settings.customerLanguage } = request.query;
    return { data: previewEmail(kind, { shop, language, publicUrl: deps.publicUrl, now: deps.clock.now() }) };
  });

  const changing = { schema: { body: SettingsChangeBody }, bodyLimit: MAX_CHANGE_BYTES };
  app.patch('/settings', { onRequest: requireRole('owner'), ...changing }, async (request) => {
    const { body } = request;
    if (sensitiveChangeOf(body, ownWindows()) !== null) await requireRecentPassword(request);
    const member = memberOf(request);
    const data = await changeAsMember(deps, member, async (change) => {
      const after = await changeSettings(change, { merchantId: member.merchantId, ...body });
      // Once more with the values as stored: a value written differently may change nothing.
      const names = new Set(Object.keys(body.changes));
      const changes = Object.fromEntries(Object.entries(after).filter(([name]) => names.has(name)));
      const sensitive = sensitiveChangeOf({ ...body, changes }, ownWindows());
      if (sensitive !== null) await emailSecurityChange(change, member, sensitive);
      return after;
    });
    return { data };
  });
};

// Helpers

/** A logo is a third larger in base64. */
const MAX_CHANGE_BYTES = 2 * MAX_IMAGE_BYTES;

const COINS = CRYPTO_SYMBOLS.map((symbol) => ({ symbol, name: ASSETS[symbol].name }));

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
