import { TerminalError } from '../../platform/errors.ts';
import { applyProvisioning, type CreatedSecrets, type ProvisionDeps } from './apply.ts';
import { describeWallets } from './attached-wallets.ts';
import type { ProvisioningFile } from './file.ts';
import { addToSecretsFile } from './secrets-file.ts';

/**
 * Applies a checked file and writes the secrets to `out`. Returns lines that describe the result.
 */
export async function provisionFile(
  deps: ProvisionDeps,
  provisioning: ProvisioningFile,
  out: string | null,
): Promise<string> {
  const { created, warnings, wallets } = await applyProvisioning(deps, provisioning, (secrets) => keep(out, secrets));
  return [
    ...warnings.map((warning) => `Please check: ${warning}`),
    ...describeWallets(wallets),
    summary(provisioning, created.length, out),
  ].join('\n');
}

// Helpers

function summary(provisioning: ProvisioningFile, created: number, out: string | null): string {
  if (created === 0) return `merchants up to date: ${provisioning.merchants.length}; nothing new was created`;
  const count = created === 1 ? '1 merchant' : `${created} merchants`;
  return `new secrets of ${count} were written to ${out} (only you can read it; they are not shown again)`;
}

async function keep(out: string | null, secrets: readonly CreatedSecrets[]): Promise<void> {
  if (out === null) {
    throw new TerminalError(
      'SECRETS_FILE',
      'New secrets would be created: pass --out FILE to store them. Nothing was changed.',
    );
  }
  await addToSecretsFile(out, secrets);
}
