import { type KeySummary, listKeys } from '../../merchants/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { printResult, tableText, timeText } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { withMerchant } from './context.ts';

/**
 * `quittance key list`: every key of a merchant, including ended ones; never the keys themselves.
 */
export async function keyList({ merchant: name, json }: KeyValues['list']): Promise<void> {
  const keys = await withMerchant(name, (db, { id }) => listKeys(db, id));
  printResult(json, { keys: keys.map(toJson) }, () => tableText(HEADINGS, keys.map(toRow)));
}

// Helpers

function toJson(key: KeySummary) {
  return {
    key_id: key.id,
    kind: key.kind,
    mode: key.mode,
    name: key.name,
    hint: key.hint,
    works: isWorking(key),
    ends_at: timeText(key.endsAt),
    created_at: timeText(key.createdAt),
    last_used_at: timeText(key.lastUsedAt),
    allowed_cidrs: key.allowedCidrs,
    one_open_payment_per_ip: key.oneOpenPaymentPerIp,
  };
}

const HEADINGS = ['KEY', 'KIND', 'MODE', 'ENDS IN', 'NAME', 'STATE', 'LAST USED', 'FROM', 'OPEN PAYMENTS'];

function toRow(key: KeySummary): string[] {
  return [
    key.id,
    key.kind,
    key.mode,
    key.hint,
    key.name === '' ? '-' : key.name,
    stateText(key),
    timeText(key.lastUsedAt) ?? 'never',
    key.allowedCidrs.length === 0 ? 'anywhere' : key.allowedCidrs.join(' '),
    key.oneOpenPaymentPerIp ? 'one per client address' : 'any',
  ];
}

function stateText(key: KeySummary): string {
  if (key.endsAt === null) return 'works';
  return isWorking(key) ? `works until ${timeText(key.endsAt)}` : `ended ${timeText(key.endsAt)}`;
}

function isWorking({ endsAt }: KeySummary): boolean {
  return endsAt === null || endsAt > systemClock.now();
}
