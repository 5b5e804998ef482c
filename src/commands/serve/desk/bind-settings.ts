import { CRYPTO_SYMBOLS, type CryptoSymbol, MINUTE_MS } from '../../../../machines/index.ts';
import { mailSecurityChange } from '../../../accounts/index.ts';
import { acceptsLess, type SettingsDesk } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import {
  changeSettings,
  MAX_MIN_CONFIRMATIONS,
  MAX_TOLERANCE_BASIS_POINTS,
  MAX_WINDOW_MINUTES,
  MIN_WINDOW_MINUTES,
  readSettings,
} from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { windowMs } from '../../../rates/index.ts';
import { changeAs } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

/** The settings of a merchant. The audit log records changes with the id of the user. */
export function bindSettings({ create, clock }: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): SettingsDesk {
  const { db } = create;
  return {
    read: ({ merchantId }) =>
      watch(() =>
        whileDatabaseAnswers(async () => {
          const { name, settings } = await readSettings(db, { merchantId });
          return { merchantId, name, values: settings, limits: LIMITS, ownWindows: ownWindows() };
        }),
      ),
    change: (member, body) =>
      watch(() =>
        changeAs({ db, clock }, member, async (change) => {
          const after = await changeSettings(change, { merchantId: member.merchantId, ...body });
          if (!acceptsLess(body)) return after;
          const facts = factsOf(body);
          await mailSecurityChange(change, member, { subject: 'Payments are accepted with less', facts });
          return after;
        }),
      ),
  };
}

// Helpers

function factsOf({ changes, seen }: Parameters<SettingsDesk['change']>[1]) {
  const { toleranceBasisPoints: tolerance, minConfirmations: confirmations } = changes;
  const facts: [name: string, value: string][] = [];
  if (tolerance !== undefined) {
    facts.push(['May be missing', `${tolerance / 100} %, before ${(seen.toleranceBasisPoints ?? 0) / 100} %`]);
  }
  if (confirmations !== undefined) {
    facts.push(['Confirmations at least', `${confirmations}, before ${seen.minConfirmations ?? 0}`]);
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
function ownWindows(): Awaited<ReturnType<SettingsDesk['read']>>['ownWindows'] {
  const minutesOf = (symbol: CryptoSymbol) => windowMs(symbol, null) / MINUTE_MS;
  const lengths = [...new Set(CRYPTO_SYMBOLS.map(minutesOf))].sort((a, b) => a - b);
  return lengths.map((minutes) => ({
    minutes,
    coins: CRYPTO_SYMBOLS.filter((symbol) => minutesOf(symbol) === minutes),
  }));
}
