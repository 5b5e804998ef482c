import { TerminalError } from '../../platform/errors.ts';
import { type AuditedChange, writeAudit } from '../audit/audit.ts';
import type { KeyTerms } from '../limits/plan-cache.ts';
import { readKeyName } from './create-key.ts';
import { readAllowedCidrs } from './ip-whitelist.ts';
import { type KeyOfMerchant, lockActiveKey } from './key-rows.ts';

/** Absent fields stay unchanged. */
export interface KeyChanges {
  readonly name?: string;
  readonly oneOpenPaymentPerIp?: boolean;
}

/**
 * Changes a key's name and rules. Throws a `TerminalError`: `INVALID_KEY_NAME`, `KEY_NOT_FOUND`,
 * `KEY_REVOKED`.
 */
export async function changeKey(change: AuditedChange, input: KeyOfMerchant, changes: KeyChanges): Promise<void> {
  const key = await lockActiveKey(change, input);
  const name = changes.name === undefined ? key.name : readKeyName(changes.name);
  const { oneOpenPaymentPerIp = key.one_open_payment_per_ip } = changes;
  await change.trx
    .updateTable('api_key')
    .set({ name, one_open_payment_per_ip: oneOpenPaymentPerIp })
    .where('id', '=', key.id)
    .execute();
  await writeAudit(change, {
    merchantId: key.merchant_id,
    what: 'api_key.changed',
    subjectId: key.id,
    details: { name, one_open_payment_per_ip: oneOpenPaymentPerIp },
  });
}

export interface AllowedAddresses {
  /** CIDR blocks from which the key may be used; none: from any address. */
  readonly cidrs: readonly string[];
  /** False when the key had the same blocks before. */
  readonly isChanged: boolean;
}

/**
 * Restricts a secret key to CIDR blocks; an empty list lifts the restriction. Blocks need a plan
 * that includes them (`terms` of the merchant's plan) and stay in force when the plan ends: a key
 * must not lose its restriction on its own. Throws a `TerminalError`: `INVALID_CIDR`,
 * `PLAN_UPGRADE_REQUIRED`, `KEY_NOT_FOUND`, `KEY_REVOKED`, `KEY_NOT_SECRET`.
 */
export async function allowAddresses(
  change: AuditedChange,
  { terms, cidrs, ...input }: KeyOfMerchant & { readonly terms: KeyTerms; readonly cidrs: readonly string[] },
): Promise<AllowedAddresses> {
  const { trx } = change;
  const allowed = readAllowedCidrs(cidrs);
  const key = await lockActiveKey(change, input);
  if (key.kind !== 'secret') {
    throw new TerminalError(
      'KEY_NOT_SECRET',
      'Publishable keys are used in browsers and cannot be restricted; choose a secret key',
    );
  }
  if (allowed.length > 0 && !terms.ipWhitelist) {
    throw new TerminalError(
      'PLAN_UPGRADE_REQUIRED',
      'The plan of this merchant does not include restricting keys to IP addresses; upgrade to professional or enterprise',
    );
  }
  const { allowed_cidrs: before } = key;
  if (JSON.stringify(before) === JSON.stringify(allowed)) return { cidrs: allowed, isChanged: false };
  await trx.updateTable('api_key').set({ allowed_cidrs: allowed }).where('id', '=', key.id).execute();
  await writeAudit(change, {
    merchantId: key.merchant_id,
    what: 'api_key.allowed_addresses_changed',
    subjectId: key.id,
    details: { before, after: allowed },
  });
  return { cidrs: allowed, isChanged: true };
}
