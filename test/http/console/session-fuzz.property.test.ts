import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startConsole } from '../../accounts/console-app.ts';
import { createAccountsHarness, PASSWORD } from '../../accounts/harness.ts';
import { describeDatabases } from '../../support/database/test-database.ts';
import { assertAsyncProperty, textOfAnyCharacters } from '../../support/run/fast-check.ts';
import { level } from '../../support/run/level.ts';

const ROUTES = [
  ['POST', '/sign-in', ['email', 'password', 'code']],
  ['POST', '/password', ['currentPassword', 'password']],
  ['POST', '/totp/begin', ['password']],
  ['POST', '/totp/confirm', ['code']],
  ['POST', '/totp/disable', ['password', 'code']],
  ['POST', '/recovery-codes', ['password', 'code']],
  ['POST', '/users', ['email', 'role', 'merchantId']],
  ['POST', '/sign-up', ['email', 'merchantName']],
  ['POST', '/sign-up/confirm', ['token', 'password']],
  ['POST', '/password-reset/request', ['email']],
  ['POST', '/password-reset/link', ['token']],
  ['POST', '/password-reset/confirm', ['token', 'password']],
  ['PATCH', '/users/:id', ['role', 'isDisabled']],
  ['DELETE', '/sessions/:id', []],
  ['GET', '/users', []],
] as const;

/** Field values: valid, almost valid, and arbitrary. */
const value = fc.oneof(
  fc.constantFrom(
    'a@b.example',
    PASSWORD,
    'owner',
    'operator',
    '123456',
    'A'.repeat(43),
    true,
    null,
    '\0',
    '\ud800',
    '',
  ),
  textOfAnyCharacters({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const cookie = fc.oneof(fc.constantFrom('mine', null), fc.string({ unit: 'binary-ascii', maxLength: 60 }));

describeDatabases('any request to the account routes', (database) => {
  test('never causes a server error, and every rejection names the remedy', async () => {
    const deps = createAccountsHarness(database());
    const app = await startConsole(deps);
    const mine = await app.cookieOf((await deps.add('operator')).email, PASSWORD);
    const request = fc.constantFrom(...ROUTES).chain(([method, path, fields]) =>
      fc.record({
        method: fc.constant(method),
        path: fc
          .oneof(fc.constantFrom('\0', 'usr_none', 'ses_none'), textOfAnyCharacters({ maxLength: 30 }))
          .map((id) => path.replace(':id', () => escaped(id))),
        body: fc.oneof(
          {
            weight: 4,
            arbitrary: fc.record(Object.fromEntries(fields.map((name) => [name, value])), { requiredKeys: [] }),
          },
          { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
        ),
        cookie,
      }),
    );
    await assertAsyncProperty(
      fc.asyncProperty(request, async ({ method, path, body, cookie: sent }) => {
        const header = sent === 'mine' ? mine : sent === null ? null : `__Host-quittance=${printable(sent)}`;
        const response = await app.call({
          method,
          path,
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
          headers: { cookie: header },
        });
        expect(response.status).toBeLessThan(500);
        if (response.status < 300) expect(response.text).toMatch(/^\{"data":/);
        else
          expect([response.error, response.message]).toEqual([
            expect.stringMatching(/^[A-Z_]+$/),
            expect.stringMatching(/\.$/),
          ]);
      }),
      { numRuns: level.runs(250) },
    );
    await app.stop();
  });
});

// Helpers

/** An unpaired surrogate cannot be URL-encoded. */
function escaped(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '?'));
}

function printable(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '%');
}
