import type { Kysely, Transaction } from 'kysely';
import { imageIdOf, replaceImages } from '../../images/index.ts';
import {
  attachWallet,
  createLogin,
  findLogos,
  findMerchantWallets,
  type IssuedKeys,
  issueKeys,
  upsertMerchant,
  writeAudit,
} from '../../merchants/index.ts';
import type { PaymentNetworks } from '../../payments/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, isUniqueViolation } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { newPassword, type SecretBox } from '../../platform/secrets/index.ts';
import type { EndpointTerms } from '../../webhooks/index.ts';
import { applyWebhook, type CreatedWebhook } from './apply-webhook.ts';
import { type AttachedWallet, attachedWallet, walletNetwork } from './attached-wallets.ts';
import { emailSharedWallet, emailWalletChange } from './email-wallet-change.ts';
import type { MerchantEntry, ProvisioningFile } from './file.ts';

export interface ProvisionDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly networks: PaymentNetworks;
  readonly endpoints: EndpointTerms & { readonly secretBox: SecretBox };
}

/** Secrets created for one merchant. They are shown only once. */
export interface CreatedSecrets {
  readonly name: string;
  readonly merchant_id: string;
  readonly email: string;
  /** Absent for a merchant that existed before. */
  readonly password?: string;
  readonly keys?: IssuedKeys;
  readonly webhooks: readonly CreatedWebhook[];
}

export interface Applied {
  readonly created: readonly CreatedSecrets[];
  /** What should be reviewed, with the JSON path, such as a key whose address type was assumed. */
  readonly warnings: readonly string[];
  /** The first addresses of each attached wallet, to compare with the merchant's own wallet. */
  readonly wallets: readonly AttachedWallet[];
}

/**
 * Applies a provisioning file in one transaction. Applying it again changes nothing and creates no
 * secrets. `keepSecrets` is called before the commit with the created secrets, so that no secret
 * exists that was not received.
 */
export async function applyProvisioning(
  deps: ProvisionDeps,
  file: ProvisioningFile,
  keepSecrets: (created: readonly CreatedSecrets[]) => Promise<void>,
): Promise<Applied> {
  return deps.db.transaction().execute(async (trx) => {
    const all: CreatedSecrets[] = [];
    const warnings: string[] = [];
    const wallets: AttachedWallet[] = [];
    await storeLogos(deps, trx, file.merchants);
    for (const [index, entry] of file.merchants.entries()) {
      all.push(await applyMerchant(deps, trx, entry, { path: `$.merchants[${index}]`, warnings, wallets }));
    }
    const created = all.filter((secrets) => secrets.keys !== undefined || secrets.webhooks.length > 0);
    if (created.length > 0) await keepSecrets(created);
    return { created, warnings, wallets };
  });
}

// Helpers

/** Before any merchant is locked, as `replaceImages` demands. */
async function storeLogos(
  { clock }: ProvisionDeps,
  trx: Transaction<Database>,
  merchants: readonly MerchantEntry[],
): Promise<void> {
  const present = await findLogos(
    trx,
    merchants.map(({ name }) => name),
  );
  const replacements = merchants.map(({ name, logo }) => ({ oldId: present.get(name) ?? null, image: logo }));
  await replaceImages(trx, replacements, clock.now());
}

async function applyMerchant(
  deps: ProvisionDeps,
  trx: Transaction<Database>,
  entry: MerchantEntry,
  { path, warnings, wallets }: { path: string; warnings: string[]; wallets: AttachedWallet[] },
): Promise<CreatedSecrets> {
  const { name, email } = entry;
  const change = { trx, who: 'provisioning', now: deps.clock.now() };
  const logo = entry.logo === null ? {} : { logo: imageIdOf(entry.logo) };
  const merchant = await upsertMerchant(trx, { ...entry, settings: { ...entry.settings, ...logo } });
  if (merchant.created || merchant.changed.length > 0) {
    const details = merchant.created ? { created: true } : { changed: merchant.changed };
    const [merchantId, subjectId] = [merchant.id, merchant.id];
    await writeAudit(change, { merchantId, what: 'merchant.provisioned', subjectId, details });
  }
  for (const [index, spec] of entry.wallets.entries()) {
    const { mode } = spec;
    const networkKind = await atPath(`${path}.wallets[${index}].mode`, async () => walletNetwork(deps.networks, spec));
    const at = `${path}.wallets[${index}].extended_public_key`;
    const walletsNow = () => findMerchantWallets(trx, { merchantName: name, crypto: spec.crypto });
    const before = await walletsNow();
    const doubts = await atPath(at, () => attachWallet(trx, { merchantId: merchant.id, mode, spec, networkKind }));
    const fresh = (await walletsNow()).find(
      ({ derivationKeyId }) => !before.some((each) => each.derivationKeyId === derivationKeyId),
    );
    if (fresh !== undefined) {
      const details = { crypto: spec.crypto, mode, networkKind };
      const entry = {
        merchantId: merchant.id,
        what: 'wallet.attached',
        subjectId: fresh.derivationKeyId,
        details,
      } as const;
      await writeAudit(change, entry);
      if (mode === 'live') {
        const isReplaced = before.some(({ network }) => network === fresh.network);
        await emailWalletChange(change, { merchantId: merchant.id, crypto: spec.crypto, isReplaced });
        await emailSharedWallet(change, { merchantId: merchant.id, ...fresh });
      }
    }
    warnings.push(...doubts.map((doubt) => `${at}: ${doubt.message}`));
    wallets.push(attachedWallet(name, spec, networkKind));
  }
  const webhooks: CreatedWebhook[] = [];
  for (const [index, webhook] of entry.webhooks.entries()) {
    const created = await atPath(`${path}.webhooks[${index}]`, () =>
      applyWebhook(change, deps.endpoints, { merchantId: merchant.id, webhook }),
    );
    if (created !== null) webhooks.push(created);
  }
  const known = { name, merchant_id: merchant.id, email };
  if (!merchant.created) return { ...known, webhooks };
  const password = newPassword();
  await atPath(`${path}.email`, () => createLogin(trx, { merchantId: merchant.id, email, password }));
  return { ...known, password, keys: await issueKeys(trx, merchant.id, deps.clock.now()), webhooks };
}

/** Prefixes errors with their path in the file. */
async function atPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TerminalError) throw new TerminalError('PROVISIONING_FILE', `${path}: ${error.message}`);
    if (isUniqueViolation(error)) {
      throw new TerminalError('PROVISIONING_FILE', `${path}: another merchant already has it; it must be unique`);
    }
    throw error;
  }
}
