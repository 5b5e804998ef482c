import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { TerminalError } from '../../platform/errors.ts';
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

/** Readable only by its owner. */
const SECRETS_MODE = 0o600;

/**
 * Adds the created secrets to the secrets file and keeps the existing entries. Writes a temporary
 * file and renames it, so that a crash leaves the old or the new file. Throws a `TerminalError`
 * `SECRETS_FILE` when the file has another content.
 */
async function addToSecretsFile(path: string, created: readonly CreatedSecrets[]): Promise<void> {
  const merchants = new Map((await readExisting(path)).map((each) => [each.name, each]));
  for (const each of created) {
    const known = merchants.get(each.name);
    const webhooks = [...(known?.webhooks ?? []), ...each.webhooks];
    merchants.set(each.name, each.keys === undefined ? { ...known, ...each, webhooks } : each);
  }
  const temporary = join(dirname(resolve(path)), `.secrets-${process.pid}.tmp`);
  const file = await open(temporary, 'w', SECRETS_MODE);
  try {
    await file.writeFile(`${JSON.stringify({ merchants: [...merchants.values()] }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
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
