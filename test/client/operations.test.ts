import { expect, test } from 'vitest';
import { describeApi } from '../../src/api/index.ts';
import { OPERATIONS } from '../../src/client/operations.ts';
import { type ApiDocument, generateOperations } from './generate-operations.ts';

test('the client knows every operation as the routes describe it (otherwise: npx vitest run test/client/operations.test.ts -u)', async () => {
  const document = (await describeApi({ version: '1' })) as ApiDocument;
  await expect(generateOperations(document)).toMatchFileSnapshot('../../src/client/operations.ts');
});

test('what only operators and browsers use is not in the client', () => {
  expect(OPERATIONS).toHaveProperty('getHealth');
  expect(OPERATIONS).not.toHaveProperty('getHealthDetails');
  expect(OPERATIONS).not.toHaveProperty('hostedCheckoutRedirect');
});

test('creating takes an idempotency key', () => {
  expect(OPERATIONS.createTransaction).toEqual({
    method: 'POST',
    path: '/transactions/create',
    takesIdempotencyKey: true,
  });
});
