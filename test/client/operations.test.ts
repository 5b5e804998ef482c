import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generateOperations } from '../../scripts/openapi/client-operations.ts';
import { OPERATIONS } from '../../src/client/operations.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('the client is generated from the document', () => {
  const text = readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8').replaceAll('listBalances', 'listHoldings');
  const client = generateOperations(JSON.parse(text) as Parameters<typeof generateOperations>[0]);
  expect(client).toContain('listHoldings');
  expect(client).not.toContain('listBalances');
});

test('the client leaves out what only operators and browsers use', () => {
  expect(OPERATIONS).toHaveProperty('getHealth');
  expect(OPERATIONS).not.toHaveProperty('getHealthDetails');
  expect(OPERATIONS).not.toHaveProperty('hostedCheckoutRedirect');
});

test('create accepts an idempotency key', () => {
  expect(OPERATIONS.createTransaction).toEqual({
    method: 'POST',
    path: '/transactions/create',
    takesIdempotencyKey: true,
  });
});
