import { systemClock } from '../platform/clock.ts';
import { loadConfig } from '../platform/config/index.ts';
import { TerminalError } from '../platform/errors.ts';
import { createSecretBox, loadSecretKey } from '../platform/secrets/index.ts';
import { paymentNetworksOf } from '../service/payment-networks-of.ts';
import { applyProvisioning, type CreatedSecrets, type ProvisionDeps } from '../service/provisioning/apply.ts';
import { describeWallets } from '../service/provisioning/attached-wallets.ts';
import { type ProvisioningFile, readProvisioningFile } from '../service/provisioning/file.ts';
import { addToSecretsFile } from '../service/provisioning/secrets-file.ts';
import { withDatabase } from './with-database.ts';

/** `quittance provision FILE [--out SECRETS]`. */
export async function provision({ file, out }: { file: string; out: string | null }): Promise<void> {
  const wanted = await readProvisioningFile(file);
  const config = loadConfig(process.env);
  const secretBox = createSecretBox(await loadSecretKey(config), config.secretsKeyPrevious);
  await withDatabase(config, async (db) => {
    const networks = paymentNetworksOf(config);
    const endpoints = { secretBox, urls: config.webhooks, plansEnabled: config.plansEnabled };
    const deps = { db, clock: systemClock, networks, endpoints };
    process.stdout.write(`${await provisionFile(deps, wanted, out)}\n`);
  });
}

/**
 * Applies a checked file and writes the secrets to `out`. Returns lines that describe the result.
 */
export async function provisionFile(
  deps: ProvisionDeps,
  wanted: ProvisioningFile,
  out: string | null,
): Promise<string> {
  const { created, warnings, wallets } = await applyProvisioning(deps, wanted, (secrets) => keep(out, secrets));
  return [
    ...warnings.map((warning) => `Please check: ${warning}`),
    ...describeWallets(wallets),
    summary(wanted, created.length, out),
  ].join('\n');
}

// Helpers

function summary(wanted: ProvisioningFile, created: number, out: string | null): string {
  if (created === 0) return `merchants up to date: ${wanted.merchants.length}; nothing new was created`;
  const count = created === 1 ? '1 merchant' : `${created} merchants`;
  return `new secrets of ${count} are in ${out} (readable by you alone; they are not shown again)`;
}

async function keep(out: string | null, secrets: readonly CreatedSecrets[]): Promise<void> {
  if (out === null) {
    throw new TerminalError(
      'SECRETS_FILE',
      'New secrets would be created: say where to keep them with --out FILE. Nothing was changed.',
    );
  }
  await addToSecretsFile(out, secrets);
}
