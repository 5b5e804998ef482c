import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../machines/index.ts';
import type { Schedule } from '../../src/client/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { describeDatabases } from '../support/database/test-database.ts';
import { POLLING } from '../support/polling.ts';
import { startApp, type TestApp, type TestMerchant } from '../support/service/app.ts';
import type { LogLine } from '../support/service/service.ts';
import { MONTHLY } from './requests.ts';

describeDatabases('log lines of a schedule', (database) => {
  const lines: LogLine[] = [];
  let app: TestApp;
  let merchant: TestMerchant;
  beforeAll(async () => {
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
    app = await startApp({ connection: database(), log: createLogger({ level: 'debug', destination }) });
    merchant = await app.addMerchant();
  });
  afterAll(() => app?.stop());

  test('name its merchant, even if a timer and not a request caused them', async () => {
    const post = async (path: string, body: object) => {
      const response = await app.call<{ data: Schedule }>({
        method: 'POST',
        path: `/recurring/${path}`,
        key: merchant.keys.sk_test,
        body,
      });
      return response.body.data;
    };
    const { schedule_id: actorId } = await post('create', MONTHLY);
    await post(`${actorId}/simulate`, { action: 'confirm' });
    const sent = () => lines.filter((line) => line.actorId === actorId && line.kind === 'schedule');
    const events = () => sent().map(({ event }) => event);
    expect(events()).toEqual(['actor.started', 'customer.confirmed']);
    app.clock.advance(4 * DAY_MS);
    await vi.waitFor(() => expect(events()).toContain('timer.reminder_due'), POLLING);
    expect(sent().map(({ merchantId }) => merchantId)).toEqual(sent().map(() => merchant.id));
  });
});
