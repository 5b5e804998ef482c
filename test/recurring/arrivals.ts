import { expect } from 'vitest';
import type { TestDatabase } from '../support/database/test-database.ts';
import type { ReceivedMail, TestSmtp } from '../support/outside/smtp.ts';
import { PUBLIC_URL, TOKENS } from '../support/service/recurring.ts';

/** An email that was sent, and how often it arrived. */
export interface Arrival {
  /** Step of the mail: `<schedule>:confirmation:0` or `<schedule>:period:<number>:<reminder>`. */
  readonly step: string;
  readonly times: number;
  /** Number of attempts with an unknown outcome. */
  readonly uncertainTries: number;
}

/**
 * Checks the mail server against the table: every email arrived at its address, once, or at most
 * once more per attempt counted as uncertain and then with identical text; and no step has two
 * emails.
 */
export async function checkArrivals({ db }: TestDatabase, smtp: TestSmtp): Promise<Arrival[]> {
  const rows = await db.selectFrom('mail').selectAll().execute();
  const steps = await stepsByLink(db);
  const byMessageId = new Map<string, ReceivedMail[]>();
  for (const mail of smtp.mails) {
    const { messageId = '' } = mail;
    byMessageId.set(messageId, [...(byMessageId.get(messageId) ?? []), mail]);
  }
  const arrivals = rows.map((row) => {
    const { id, recipient, state, is_leased, uncertain_tries: uncertainTries, dedupe_key } = row;
    expect({ state, is_leased }).toEqual({ state: 'sent', is_leased: false });
    const came = byMessageId.get(`<${id}@shop.example>`) ?? [];
    byMessageId.delete(`<${id}@shop.example>`);
    expect(came.length, `${dedupe_key} with ${uncertainTries} uncertain tries`).toBeGreaterThanOrEqual(1);
    expect(came.length, `${dedupe_key} with ${uncertainTries} uncertain tries`).toBeLessThanOrEqual(1 + uncertainTries);
    const [first] = came;
    for (const each of came)
      expect([each.envelopeTo, each.subject, each.text]).toEqual([[recipient], first?.subject, first?.text]);
    const step = stepOf(first, steps);
    expect(dedupe_key).toBe(`schedule:${step}`);
    return { step, times: came.length, uncertainTries };
  });
  expect([...byMessageId.keys()]).toEqual([]);
  expect(new Set(arrivals.map(({ step }) => step)).size).toBe(arrivals.length);
  return arrivals;
}

// Helpers

/** What each link in an email refers to, read from the schedules only. */
async function stepsByLink(db: TestDatabase['db']): Promise<ReadonlyMap<string, string>> {
  const schedules = await db.selectFrom('schedule').select(['id', 'last_period_no']).execute();
  return new Map(
    schedules.flatMap(
      ({ id: scheduleId, last_period_no }) =>
        [
          [TOKENS({ purpose: 'confirm', scheduleId }), `${scheduleId}:confirmation`],
          ...Array.from({ length: last_period_no }, (_, index) => {
            const periodNo = index + 1;
            return [TOKENS({ purpose: 'pay', scheduleId, periodNo }), `${scheduleId}:period:${periodNo}`] as const;
          }),
        ] as const,
    ),
  );
}

const REMINDERS: readonly (readonly [RegExp, number])[] = [
  [/Last reminder:/, 2],
  [/Reminder:/, 1],
];

function stepOf(mail: ReceivedMail | undefined, steps: ReadonlyMap<string, string>): string {
  const links = mail?.text?.matchAll(new RegExp(`${PUBLIC_URL}/recurring/(?:confirm|pay)/([0-9a-f]{32})`, 'g')) ?? [];
  const about = new Set([...links].map(([, token = '']) => steps.get(token)));
  expect(about.size, 'every email is about one thing').toBe(1);
  const [, reminder] = REMINDERS.find(([subject]) => subject.test(mail?.subject ?? '')) ?? [null, 0];
  return `${[...about][0]}:${reminder}`;
}
