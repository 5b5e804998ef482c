import { HOUR_MS } from '../../../machines/index.ts';
import {
  allowAddresses,
  changeKey,
  createKey,
  createPlanCache,
  type KeyChanges,
  revokeKey,
  rotateKey,
} from '../../merchants/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { usage } from '../options.ts';
import { printResult, timeText } from '../print.ts';
import type { KeyValues } from './commands.ts';
import { changing, withMerchant } from './context.ts';
import { issuedKeyJson, issuedKeyText, issueSecret, keyJson } from './show-once.ts';

/**
 * `quittance key change`: its name, and whether one client address may have several open payments.
 */
export async function keyChange(options: KeyValues['change']): Promise<void> {
  const { merchant: merchantName, key: keyId, name, json } = options;
  const oneOpen = options['one-open-payment'];
  if (name === null && oneOpen === null) throw usage('key change: pass --name or --one-open-payment');
  const changes: KeyChanges = {
    ...(name === null ? {} : { name }),
    ...(oneOpen === null ? {} : { oneOpenPaymentPerIp: oneOpen === 'on' }),
  };
  await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => changeKey(change, { merchantId, keyId }, changes)),
  );
  printResult(json, { key_id: keyId, changed: true }, () => `${keyId} changed`);
}

export async function keyCreate(options: KeyValues['create']): Promise<void> {
  const { merchant: merchantName, name, out, json } = options;
  const kind = options.kind.startsWith('sk') ? 'secret' : 'publishable';
  const mode = options.kind.endsWith('live') ? 'live' : 'test';
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    issueSecret(out, (keep) =>
      changing(db, async (change) => {
        const oneOpenPaymentPerIp = options['one-open-payment'];
        const made = await createKey(change, { merchantId, kind, mode, name, oneOpenPaymentPerIp });
        await keep(keyJson(made));
        return made;
      }),
    ),
  );
  printResult(json, issuedKeyJson(out, issued), () => `New key ${issued.id}\n${issuedKeyText(out, issued)}`);
}

/**
 * `quittance key rotate`: replaces a key. The old one stops working immediately or after some
 * hours.
 */
export async function keyRotate({
  merchant: merchantName,
  key: keyId,
  overlap,
  out,
  json,
}: KeyValues['rotate']): Promise<void> {
  const issued = await withMerchant(merchantName, (db, { id: merchantId }) =>
    issueSecret(out, (keep) =>
      changing(db, async (change) => {
        const made = await rotateKey(change, { merchantId, keyId, overlapMs: overlap * HOUR_MS });
        await keep(keyJson(made));
        return made;
      }),
    ),
  );
  const old = overlap === 0 ? 'no longer works' : `works for another ${overlap} h`;
  printResult(json, issuedKeyJson(out, issued), () =>
    [`New key ${issued.id}; ${keyId} ${old}`, issuedKeyText(out, issued)].join('\n'),
  );
}

/** `quittance key revoke`: revokes a key immediately, on every process. */
export async function keyRevoke({ merchant: merchantName, key: keyId, json }: KeyValues['revoke']): Promise<void> {
  const { revokedAt } = await withMerchant(merchantName, (db, { id: merchantId }) =>
    changing(db, (change) => revokeKey(change, { merchantId, keyId })),
  );
  printResult(json, { key_id: keyId, revoked_at: timeText(revokedAt) }, () => `${keyId} no longer works`);
}

/** `quittance key allow`: sets the IP addresses a secret key may be used from. */
export async function keyAllow({ merchant: merchantName, key: keyId, from, json }: KeyValues['allow']): Promise<void> {
  const cidrs = from === 'anywhere' ? [] : from.split(',');
  const { cidrs: allowed } = await withMerchant(merchantName, async (db, { id: merchantId, plan }) => {
    const { plansEnabled } = loadConfig(process.env);
    const terms = await createPlanCache({ db, clock: systemClock, plansEnabled }).termsOf(plan);
    return changing(db, (change) => allowAddresses(change, { merchantId, keyId, terms, cidrs }));
  });
  printResult(json, { key_id: keyId, allowed_cidrs: allowed }, () =>
    allowed.length === 0
      ? `${keyId} may be used from anywhere`
      : `${keyId} may be used only from ${allowed.join(', ')}`,
  );
}
