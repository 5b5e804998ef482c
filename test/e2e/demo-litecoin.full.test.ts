import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWith } from '../support/run/components.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TIMEOUT_MS = 300_000;

describeWith('litecoind')('npm run demo:litecoin', () => {
  test('receives its five payments as in the README', { timeout: TIMEOUT_MS }, async () => {
    // Rejects unless it exits with 0.
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'demo:litecoin'], { cwd: ROOT });
    expect(stdout).toContain(
      'All 5 payments came out as docs/merchants/payment-rules.md says; every signature is valid.',
    );
  });
});
