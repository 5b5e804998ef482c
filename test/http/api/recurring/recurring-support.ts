import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Schedule } from '../../../../src/client/index.ts';
import type { TestDatabase } from '../../../support/database/test-database.ts';
import type { ApiResponse } from '../../../support/service/app.ts';
import { expectDocumented, useApp } from '../support.ts';

export const GOOD = { customer_email: 'jo@example.com', amount: 25, interval: 'monthly', description: 'Climbing hall' };

/** An app with a merchant, and helpers for tests of recurring payment requests. */
export function useSchedules(database: () => TestDatabase) {
  const { app, merchant } = useApp(database, { liveRates: { LTC: '100', EUR: '1.08', PLN: '0.25' } });

  function send<T>(by: string | null, method: string, path: string, body?: unknown): Promise<ApiResponse<T>> {
    return app().call<T>({ method: method as 'GET', path, key: by, ...(body === undefined ? {} : { body }) });
  }

  /** Sends a request and expects success that matches the description. */
  async function ask<T = Schedule>(by: string, operation: string, id = '', body?: unknown): Promise<T> {
    const [method = '', template = ''] = operation.split(/[ ?]/);
    const path = operation.slice(method.length + 1).replace('{schedule_id}', id);
    const response = await send<{ data: T }>(by, method, path, body);
    const status = template.endsWith('/create') ? 201 : 200;
    expect(response.status, response.text).toBe(status);
    expectDocumented(`${method} ${template}`, response);
    return response.body.data;
  }

  return {
    app,
    merchant,
    send,
    ask,
    /** The test key of the merchant. */
    key: () => merchant().keys.sk_test,
    create: (by: string, more: object = {}) => ask(by, 'POST /recurring/create', '', { ...GOOD, ...more }),
    /** Counts of the rows that creating one writes. */
    async written(): Promise<unknown> {
      const { rows } = await sql`
        select (select count(*) from schedule) as schedules, (select count(*) from actor) as actors,
          (select count(*) from mail) as mails, (select count(*) from timer) as timers,
          (select count(*) from webhook_event) as events`.execute(database().db);
      return rows[0];
    },
  };
}
