import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import type { TestDatabase } from '../../support/database/test-database.ts';
import {
  type ApiResponse,
  startApp,
  type TestApp,
  type TestAppOptions,
  type TestMerchant,
} from '../../support/service/app.ts';
import { disagreement } from './document/openapi-document.ts';

/**
 * A running app with one merchant for the tests of a suite; available inside tests and hooks only.
 */
export function useApp(
  database: () => TestDatabase,
  options: Omit<TestAppOptions, 'connection'> = {},
): { app: () => TestApp; merchant: () => TestMerchant } {
  let app: TestApp | undefined;
  let merchant: TestMerchant | undefined;
  beforeAll(async () => {
    app = await startApp({ ...options, connection: database() });
    merchant = await app.addMerchant();
  });
  afterAll(async () => {
    await app?.stop();
  });
  const inTests = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The app runs inside tests and hooks only');
    return value;
  };
  return { app: () => inTests(app), merchant: () => inTests(merchant) };
}

export interface ErrorResponse {
  readonly success: false;
  readonly error: string;
  readonly message: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

/** Expects the error envelope with this status and code, and no other fields. */
export function expectProblem(response: ApiResponse<unknown>, status: number, code: string): ErrorResponse {
  expect({ status: response.status, body: response.body }).toMatchObject({
    status,
    body: { success: false, error: code, message: expect.stringMatching(/\S/) },
  });
  expect(response.headers['content-type']).toMatch(/^application\/json/);
  expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  const body = response.body as ErrorResponse;
  const known = ['success', 'error', 'message', 'details'];
  expect(Object.keys(body).filter((key) => !known.includes(key))).toEqual([]);
  for (const detail of body.details ?? []) expect(Object.keys(detail)).toEqual(['field', 'message']);
  return body;
}

/** Expects a response that the committed description allows, and no 5xx. */
export function expectDocumented(name: string, { status, body, text }: ApiResponse<unknown>): void {
  expect(status, text).toBeLessThan(500);
  expect(disagreement(name, status, body)).toBeNull();
}

/**
 * Counts of everything that accepting a transaction writes, in one query. Not the outbox, which
 * drains by itself.
 */
export async function countWritten({ connection: { db } }: TestApp): Promise<Written> {
  const { rows } = await sql<Written>`
    select (select count(*) from actor) as actor,
      (select count(*) from journal_entry) as journal_entry,
      (select count(*) from "transaction") as transaction,
      (select count(*) from payment) as payment,
      (select count(*) from timer) as timer,
      (select count(*) from webhook_event) as webhook_event,
      (select count(transaction_id) from address) as addresses_taken`.execute(db);
  const [counted] = rows;
  if (counted === undefined) throw new Error('counting gave no row');
  return counted;
}

interface Written {
  readonly actor: number;
  readonly journal_entry: number;
  readonly transaction: number;
  readonly payment: number;
  readonly timer: number;
  readonly webhook_event: number;
  readonly addresses_taken: number;
}
