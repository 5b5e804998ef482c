import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/http/api/error-codes.ts';
import { OPERATIONS } from '../http/api/document/openapi-document.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { type ContractHarness, startContractHarness } from './harness.ts';
import { ACCOUNT_REQUESTS } from './requests/account.ts';
import { CREATE_REQUESTS } from './requests/create.ts';
import { REQUESTS_OF_EVERY_KIND } from './requests/everywhere.ts';
import { PAY_REQUESTS } from './requests/pay.ts';
import { PAYMENT_LINK_REQUESTS } from './requests/payment-links.ts';
import type { Provocation } from './requests/provocation.ts';
import { READ_REQUESTS } from './requests/read.ts';
import { RECURRING_REQUESTS } from './requests/recurring.ts';
import { WEBHOOK_ENDPOINT_REQUESTS } from './requests/webhook-endpoints.ts';
import { WEBHOOK_LOG_REQUESTS } from './requests/webhook-log.ts';
import { ADDED_ERROR_CODES, FOR_OPERATORS } from './tables/additions.ts';
import { ALL_ENDPOINTS, type EndpointName } from './tables/endpoints.ts';
import { ERROR_STATUSES, ERRORS_OF_INTERFACE } from './tables/errors.ts';
import { codeOf, statusesOf, walk } from './walk.ts';

/**
 * The contract test: a request provokes every status of every endpoint and every error code, and
 * each response is checked against the tables in `tables/`, which repeat the interface document by
 * hand. What the service adds to it is listed with the reason in `tables/additions.ts`. A new
 * endpoint, status or code fails here until it has its row and its request.
 */
const REQUESTS: readonly Provocation[] = [
  ...CREATE_REQUESTS,
  ...READ_REQUESTS,
  ...ACCOUNT_REQUESTS,
  ...PAY_REQUESTS,
  ...RECURRING_REQUESTS,
  ...PAYMENT_LINK_REQUESTS,
  ...WEBHOOK_ENDPOINT_REQUESTS,
  ...WEBHOOK_LOG_REQUESTS,
  ...REQUESTS_OF_EVERY_KIND,
];
const NAMES = Object.keys(ALL_ENDPOINTS) as EndpointName[];

describeDatabases('the API', (database) => {
  let harness: ContractHarness;
  beforeAll(async () => {
    harness = await startContractHarness(database());
  });
  afterAll(async () => {
    await harness?.stop();
  });

  test.each(REQUESTS)(
    '$endpoint returns $status $code for $what',
    async ({ endpoint, status, code, send, headers = {} }) => {
      const response = await send(harness);
      expect({ status: response.status, code: codeOf(response) || null }, response.text).toEqual({ status, code });
      expect(walk(endpoint, response)).toEqual([]);
      expect(response.headers).toMatchObject(headers);
    },
  );
});

test.each(NAMES)('%s is brought to each of its statuses, and to no other', (name) => {
  const provoked = new Set(REQUESTS.filter(({ endpoint }) => endpoint === name).map(({ status }) => status));
  expect(provoked).toEqual(new Set(statusesOf(ALL_ENDPOINTS[name])));
});

test('every error code is provoked, and the service has no other', () => {
  const provoked = new Set(REQUESTS.flatMap(({ code }) => code ?? []));
  expect(provoked).toEqual(new Set(Object.keys(ERROR_STATUSES)));
  expect(new Set(Object.keys(ERROR_CODES))).toEqual(new Set(Object.keys(ERROR_STATUSES)));
});

test('what is listed as an addition to the API is not part of it', () => {
  for (const code of Object.keys(ADDED_ERROR_CODES)) expect(ERRORS_OF_INTERFACE).not.toHaveProperty(code);
  for (const name of NAMES) {
    const { success, failures, added } = ALL_ENDPOINTS[name];
    expect([success, ...failures].filter((status) => added.some((other) => other === status))).toEqual([]);
  }
});

test('every documented operation has a table, and every table is documented with its statuses', () => {
  const described = new Map(OPERATIONS.map(({ name, operation }) => [operation.operationId, { name, operation }]));
  expect(new Set(described.keys())).toEqual(new Set([...NAMES, ...Object.keys(FOR_OPERATORS)]));
  for (const name of NAMES) {
    const { method, path } = ALL_ENDPOINTS[name];
    expect(described.get(name)?.name).toBe(`${method} ${path}`);
    const statuses = Object.keys(described.get(name)?.operation.responses ?? {}).map(Number);
    expect(statuses, name).toEqual(expect.arrayContaining(statusesOf(ALL_ENDPOINTS[name])));
  }
});
