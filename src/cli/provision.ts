import { systemClock } from '../platform/clock.ts';
import { loadConfig } from '../platform/config/index.ts';
import { createSecretBox, loadSecretKey } from '../platform/secrets/index.ts';
import { paymentNetworksOf } from '../service/payment-networks-of.ts';
import { readProvisioningFile } from '../service/provisioning/file.ts';
import { provisionFile } from '../service/provisioning/provision-file.ts';
import { withDatabase } from './with-database.ts';

/** `quittance provision FILE [--out SECRETS]`. */
export async function provision({ file, out }: { file: string; out: string | null }): Promise<void> {
  const provisioning = await readProvisioningFile(file);
  const config = loadConfig(process.env);
  const secretBox = createSecretBox(await loadSecretKey(config), config.secretsKeyPrevious);
  await withDatabase(config, async (db) => {
    const networks = paymentNetworksOf(config);
    const endpoints = { secretBox, urls: config.webhooks, plansEnabled: config.plansEnabled };
    const deps = { db, clock: systemClock, networks, endpoints };
    process.stdout.write(`${await provisionFile(deps, provisioning, out)}\n`);
  });
}
