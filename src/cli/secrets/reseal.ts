import { resealTotpSecrets } from '../../accounts/index.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { createSecretBox, loadSecretKey } from '../../platform/secrets/index.ts';
import { resealEndpointSecrets } from '../../webhooks/index.ts';
import { asAuditedAction } from '../audited-action.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';

/**
 * `quittance secrets reseal`: after the key was replaced, encrypts stored secrets again with the
 * new key. Throws a `TerminalError` `SECRET_UNREADABLE` at the end when neither key decrypts some
 * of them; the others are done by then.
 */
export async function secretsReseal({ json }: { json: boolean }): Promise<void> {
  const config = loadConfig(process.env);
  const box = createSecretBox(await loadSecretKey(config), config.secretsKeyPrevious);
  const [endpoints, logins] = await withDatabase(config, (db) =>
    asAuditedAction(db, ACTION, async () => [await resealEndpointSecrets(db, box), await resealTotpSecrets(db, box)]),
  );
  const resealed = endpoints.resealed + logins.resealed;
  const current = endpoints.current + logins.current;
  const unreadable = [...endpoints.unreadable, ...logins.unreadable];
  printResult(
    json,
    { resealed, current, unreadable },
    () => `Secrets re-encrypted: ${resealed}; already encrypted with the current key: ${current}`,
  );
  if (unreadable.length === 0) return;
  throw new TerminalError(
    'SECRET_UNREADABLE',
    `Neither SECRETS_KEY (or secrets.key) nor SECRETS_KEY_PREVIOUS decrypts the secrets of ${unreadable.join(', ')}: ` +
      'set SECRETS_KEY_PREVIOUS to the key they were encrypted with and run this again, or regenerate them.',
  );
}

// Helpers

const ACTION = { command: 'secrets reseal', what: 'secrets.resealed', subjectId: 'SECRETS_KEY', details: {} } as const;
