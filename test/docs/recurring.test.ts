import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import {
  CONFIRMATION_WINDOW_MS,
  DAY_MS,
  INTERVALS,
  type Interval,
  MAX_CONFIRMATIONS,
  PAYABLE_AFTER_END_MS,
  periodDueAt,
  REMINDERS_MS,
  SCHEDULE_STATUSES,
  type ScheduleNotification,
  UNPAID_AFTER_MS,
} from '../../machines/index.ts';
import { MAX_ADVANCE_MS } from '../../src/payments/index.ts';
import { isId } from '../../src/platform/ids.ts';
import {
  MAX_PENDING_PER_RECIPIENT,
  MAX_RECENT_CONFIRMATIONS,
  PERIOD_STATUSES,
  recurringEventBody,
} from '../../src/recurring/index.ts';
import type { RecurringReceiverUnderTest } from '../../src/testing/index.ts';
import { checkRecurringReceiver } from '../../src/testing/index.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/webhooks/index.ts';
import { codeBlocks, ROOT, readDocument, tableRows } from './markdown.ts';

const RECURRING = readDocument('docs/merchants/recurring.md');
const RECURRING_EVENTS = WEBHOOK_EVENT_TYPES.filter((event) => event.startsWith('recurring.'));
const OPENAPI = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8')) as OpenApi;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: RequestBody }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}
interface RequestBody {
  readonly content: { readonly 'application/json': { readonly schema: object } };
}

describe('the webhooks in docs/merchants/recurring.md', () => {
  const shown = codeBlocks(RECURRING, 'json')
    .map((block) => JSON.parse(block))
    .filter((body) => 'event' in body);

  test('contain one of each event', () => {
    expect(shown.map(({ event }) => String(event)).sort()).toEqual([...RECURRING_EVENTS].sort());
    expect(shown.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  test.each(shown.map((body) => [body.event, body]))('show %s exactly as the service writes it', (_, body) => {
    expect(isId('evt', body.id)).toBe(true);
    expect(realBody(body)).toBe(JSON.stringify(body));
  });

  test('have all of their fields explained', () => {
    const explained = tableRows(RECURRING, ['Field', 'Type', 'Meaning']).map(([field = '']) => field);
    expect(new Set(explained)).toEqual(new Set(shown.flatMap((body) => Object.keys(body))));
  });
});

describe('docs/merchants/recurring.md', () => {
  test('covers every status, event and reason in its lifecycle', () => {
    const rows = tableRows(RECURRING, ['What happens', 'status after it', 'Webhook']);
    const statuses = rows.map(([, status = '']) => status.split(',')[0]);
    expect(new Set(statuses.filter((status) => status !== 'as it was'))).toEqual(new Set(SCHEDULE_STATUSES));
    const sent = rows.map(([, , webhook = '']) => webhook).filter((webhook) => webhook.startsWith('recurring.'));
    expect(new Set(sent.map((webhook) => webhook.split(',')[0]))).toEqual(new Set(RECURRING_EVENTS));
    const reasons = sent.flatMap((webhook) => /reason (\w+)/.exec(webhook)?.[1] ?? []);
    expect(reasons.sort()).toEqual(['bounced', 'stopped_by_customer', 'unconfirmed']);
    expect(rows.flat().join()).toContain(`within ${CONFIRMATION_WINDOW_MS / DAY_MS} days`);
  });

  test('states due dates as the calendar computes them', () => {
    const rows = tableRows(RECURRING, ['Interval', 'Period 1', 'Period 2', 'Period 3', 'Period 4']);
    expect(rows.map(([interval]) => interval)).toEqual([...INTERVALS]);
    for (const [interval, ...days] of rows) {
      const anchor = Date.parse(`${days[0]}T09:30:00Z`);
      const due = days.map((_, index) => new Date(periodDueAt(anchor, interval as Interval, index + 1)).toISOString());
      expect(due).toEqual(days.map((day) => `${day}T09:30:00.000Z`));
    }
  });

  test('states the times of reminders and of giving up', () => {
    const rows = tableRows(RECURRING, ['After', 'What happens']);
    const days = rows.map(([after = '']) => Number(/^(\d+) days/.exec(after)?.[1]));
    expect(days).toEqual([...REMINDERS_MS, UNPAID_AFTER_MS].map((ms) => ms / DAY_MS));
  });

  test('states the limits in the code', () => {
    const [confirmations = []] = tableRows(RECURRING, ['Email', 'How often']);
    expect(confirmations[1]).toContain(`at most ${MAX_CONFIRMATIONS} times for one schedule`);
    expect(RECURRING).toContain(`at most **${MAX_RECENT_CONFIRMATIONS} confirmation emails within 24 hours**`);
    expect(RECURRING).toContain(`at most **${MAX_PENDING_PER_RECIPIENT} schedules of one shop**`);
    expect(RECURRING).toContain(`for ${PAYABLE_AFTER_END_MS / DAY_MS} days more when it is \`finished\``);
    expect(RECURRING).toContain(`at most ${MAX_ADVANCE_MS / DAY_MS} days in one call`);
  });

  test('lists every endpoint', () => {
    const listed = [...RECURRING.matchAll(/^\| `(GET|POST) (\/recurring\/\S+)` \|/gm)].map(([, method, path]) => {
      return `${method} ${path}`;
    });
    expect(listed.sort()).toEqual(operations().sort());
  });

  test('lists every field of a schedule', () => {
    const rows = tableRows(RECURRING, ['Field of a schedule', 'Meaning']);
    const listed = rows.flatMap(([fields = '']) => fields.split(', '));
    expect(listed.sort()).toEqual(Object.keys(OPENAPI.components.schemas.Schedule?.properties ?? {}).sort());
  });

  test('lists every field of a create, and of a period with all its statuses', () => {
    const schema = OPENAPI.paths['/recurring/create']?.post?.requestBody?.content['application/json'].schema;
    const fields = tableRows(RECURRING, ['Field', '', '']).map(([field = '']) => field);
    expect(fields.sort()).toEqual(Object.keys((schema as { properties: object }).properties).sort());
    const rows = tableRows(RECURRING, ['Field of a period', 'Meaning']);
    expect(rows.map(([field]) => field)).toEqual(
      Object.keys(OPENAPI.components.schemas.SchedulePeriod?.properties ?? {}),
    );
    const [, meaning = ''] = rows.find(([field]) => field === 'status') ?? [];
    expect(meaning.match(/\w+/g)?.filter((word) => word !== 'or')).toEqual([...PERIOD_STATUSES]);
  });

  test('shows requests that match the OpenAPI schema', () => {
    const calls = codeBlocks(RECURRING, 'sh')
      .join('')
      .replaceAll('\\\n', '')
      .split('\n')
      .filter((line) => line !== '');
    const made = calls.map((call) => checkCall(call));
    expect(new Set(made)).toEqual(new Set(operations()));
  });
});

describe('the receiver of docs/merchants/recurring.md', () => {
  test('passes the check shown with it', async () => {
    const [code = ''] = codeBlocks(RECURRING, 'ts');
    expect(code).toContain('\nawait checkRecurringReceiver(createShop);\n');
    // Importing it runs its check.
    const { createShop } = await load<{ createShop(secret: string): RecurringReceiverUnderTest }>(code);
    await checkRecurringReceiver(createShop, { seed: 20_261_122 });
  });

  test('would fail if it credited repeated events', async () => {
    const [code = ''] = codeBlocks(RECURRING, 'ts');
    const careless = code.replace(' || seen.has(event.id)', '').replace(/await checkRecurringReceiver.*/, '');
    expect(careless).not.toContain('seen.has');
    const { createShop } = await load<{ createShop(secret: string): RecurringReceiverUnderTest }>(careless);
    await expect(checkRecurringReceiver(createShop, { seed: 20_261_122 })).rejects.toThrow('a correct one with');
  });
});

// Helpers

type BodyRequest = Parameters<typeof recurringEventBody>[0];

/** The body the service would write for an example. */
function realBody(body: Readonly<Record<string, string>>): string {
  const { id, event, sequence, status, reason, reference, description, interval } = body;
  return recurringEventBody({
    id,
    at: Date.parse(body.timestamp ?? ''),
    scheduleId: body.schedule_id,
    schedule: {
      reference,
      customerEmail: body.customer_email,
      description,
      amountFiat: body.amount_fiat,
      currencyFiat: body.currency_fiat,
      interval,
    },
    status,
    notification: { event, sequence, reason, periodNo: body.period_no, transactionId: body.transaction_id },
    // An example matches its event, so this notification is of that event too.
  } as unknown as BodyRequest & { notification: ScheduleNotification });
}

function operations(): string[] {
  return Object.entries(OPENAPI.paths)
    .filter(([path]) => path.startsWith('/recurring/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
}

/** The operation that a curl line calls; throws for a body or a path it does not have. */
function checkCall(call: string): string {
  const [, target = ''] = /\$PUBLIC_URL\/v1(\/recurring\/[^"?]+)/.exec(call) ?? [];
  const [, body] = /-d '(.*)'/.exec(call) ?? [];
  const path = target.replace('$ID', '{schedule_id}');
  const method = body !== undefined || call.includes('-X POST') ? 'post' : 'get';
  const operation = OPENAPI.paths[path]?.[method];
  if (operation === undefined) throw new Error(`there is no ${method} ${path}`);
  const schema = operation.requestBody?.content['application/json'].schema;
  expect(body === undefined, `${call} has a body when it needs one`).toBe(schema === undefined);
  if (schema !== undefined) {
    const { components } = OPENAPI;
    expect(Compile({ ...schema, components }).Errors(JSON.parse(body ?? ''))).toEqual([true, []]);
  }
  return `${method.toUpperCase()} ${path}`;
}

/** Imports code of the document with the sources in place of the package. */
async function load<T>(code: string): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-docs-'));
  const file = join(folder, 'receiver.ts');
  writeFileSync(
    file,
    code.replace(/'quittance\/(\w+)'/g, (_, part: string) => `'${join(ROOT, 'src', part, 'index.ts')}'`),
  );
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as T;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
