import { readFile } from 'node:fs/promises';
import { TerminalError } from '../../platform/errors.ts';
import { replaceSecretFile } from '../../platform/secrets/index.ts';
import { applyProvisioning, type CreatedSecrets, type ProvisionDeps } from './apply.ts';
import { describeWallets } from './attached-wallets.ts';
import type { ProvisioningFile } from './file.ts';

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

/**
 * Adds the created secrets to the secrets file and keeps the existing entries. Throws a
 * `TerminalError` `SECRETS_FILE` when the file has another content.
 */
async function addToSecretsFile(path: string, created: readonly CreatedSecrets[]): Promise<void> {
  const merchants = new Map((await readExisting(path)).map((each) => [each.name, each]));
  for (const each of created) {
    const known = merchants.get(each.name);
    const webhooks = [...(known?.webhooks ?? []), ...each.webhooks];
    merchants.set(each.name, each.keys === undefined ? { ...known, ...each, webhooks } : each);
  }
  await replaceSecretFile(path, `${JSON.stringify({ merchants: [...merchants.values()] }, null, 2)}\n`);
}

async function readExisting(path: string): Promise<CreatedSecrets[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null || text.trim() === '') return [];
  try {
    const parsed = JSON.parse(text) as { merchants?: CreatedSecrets[] };
    if (Array.isArray(parsed.merchants)) return parsed.merchants;
  } catch {
    // Reported below.
  }
  throw new TerminalError('SECRETS_FILE', `${path} exists and is not a secrets file; pass another --out or move it`);
}
