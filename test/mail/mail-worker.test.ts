import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../machines/index.ts';
import {
  createMailWorker,
  createNotifyActor,
  createSmtpTransport,
  holdEmails,
  type NewEmail,
  type NotifyActor,
  queueEmails,
} from '../../src/mail/index.ts';
import { claimDueEmails } from '../../src/mail/mail-queue.ts';
import { MAIL_HORIZON_MS, MAIL_RETRY_DELAYS_MS, nextTryAt } from '../../src/mail/retry-schedule.ts';
import { readJournal } from '../../src/platform/engine/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { PollLoop } from '../../src/platform/poll-loop.ts';
import { createTestClock, START_MS, type TestClock } from '../support/clock.ts';
import {
  createPostgresDatabase,
  describeDatabases,
  describePostgres,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { mailConfig, type SmtpResponse, startSmtp, type TestSmtp } from '../support/outside/smtp.ts';
import { POLLING } from '../support/polling.ts';
import { compile } from '../support/run/compiled.ts';
import { newActorId, startRuntime } from '../support/service/engine.ts';
import { createLedgerTable } from '../support/service/engine-charts.ts';

const ADDRESS = 'zoe@customer.example';

function newMail(changes: Partial<NewEmail> = {}): NewEmail {
  return {
    merchantId: null,
    recipient: ADDRESS,
    subject: 'Subject',
    text: 'Text',
    html: '<p>Text</p>',
    dedupeKey: `test:${randomUUID()}`,
    createdAt: START_MS,
    ...changes,
  };
}

async function write({ db }: TestDatabase, ...mails: NewEmail[]): Promise<void> {
  await db.transaction().execute((trx) => queueEmails(trx, mails));
}

function rowOf({ db }: TestDatabase, { dedupeKey }: NewEmail) {
  return db.selectFrom('mail').selectAll().where('dedupe_key', '=', dedupeKey).executeTakeFirstOrThrow();
}

describeDatabases('the queue of emails', (database) => {
  test('sends what concerns a login before the emails of schedules, however long these wait', async () => {
    await sql`delete from mail`.execute(database().db);
    const ofSchedules = Array.from({ length: 50 }, () => newMail({ actorId: newActorId() }));
    const alert = newMail({ createdAt: START_MS + 1 });
    await write(database(), ...ofSchedules, alert);
    const lease = { now: START_MS + MINUTE_MS, leaseMs: MINUTE_MS, limit: 4 };
    const claimed = await claimDueEmails(database().db, lease);
    expect(claimed).toHaveLength(4);
    expect(claimed.filter(({ actorId }) => actorId === null)).toMatchObject([{ subject: alert.subject }]);
    expect(await claimDueEmails(database().db, { ...lease, limit: 100 })).toHaveLength(47);
  });
});

describeDatabases('the mail worker', (database) => {
  let smtp: TestSmtp;
  let clock: TestClock;
  let running: PollLoop[] = [];
  let lines: string[] = [];

  beforeEach(async () => {
    smtp = await startSmtp();
    clock = createTestClock();
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((worker) => worker.stop()));
    running = [];
    await smtp.close();
    await database().db.deleteFrom('mail').execute();
  });

  interface WorkerChoices {
    readonly isSending?: boolean;
    readonly port?: number;
    readonly notifyActor?: NotifyActor;
  }
  function startWorker({ isSending = true, port = smtp.port, ...choices }: WorkerChoices = {}): PollLoop {
    const worker = createMailWorker({
      ...choices,
      db: database().db,
      transport: isSending ? createSmtpTransport(mailConfig(port)) : null,
      clock,
      log: createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
      pollEveryMs: 10,
      awayPauseMs: 20,
      closeGraceMs: 5_000,
    });
    worker.start();
    running.push(worker);
    return worker;
  }

  async function hold({ dedupeKey }: NewEmail): Promise<void> {
    await database()
      .db.transaction()
      .execute((trx) => holdEmails(trx, [dedupeKey]));
  }
  async function becomes(mail: NewEmail, expected: object): Promise<void> {
    await vi.waitFor(async () => expect(await rowOf(database(), mail)).toMatchObject(expected), POLLING);
  }

  test('sends a committed mail once, however often it was written', async () => {
    const mail = newMail();
    await write(database(), mail);
    await write(database(), { ...mail, subject: 'A twin' });
    startWorker();
    await becomes(mail, { state: 'sent', tries: 1, sent_at: START_MS, next_try_at: null });
    const again = newMail();
    await write(database(), { ...mail, subject: 'A late twin' }, again);
    await becomes(again, { state: 'sent' });
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Subject', 'Subject']);
    const { id } = await rowOf(database(), mail);
    expect(smtp.mails[0]?.messageId).toBe(`<${id}@shop.example>`);
  });

  test('parks an email whose row cannot be read, with an alert, and sends the others', async () => {
    const [broken, sound] = [newMail({ subject: 'Broken' }), newMail({ subject: 'Sound' })];
    await write(database(), broken, sound);
    const { id } = await rowOf(database(), broken);
    await sql`update mail set created_at = '290000-01-01T00:00:00Z' where id = ${id}`.execute(database().db);
    startWorker();
    await becomes(sound, { state: 'sent' });
    await becomes(broken, { state: 'queued', next_try_at: Number.POSITIVE_INFINITY });
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Sound']);
    const alerts = await database().db.selectFrom('operator_alert').select(['alert', 'detail']).execute();
    const detail = expect.stringContaining(`mail ${id} was skipped: `);
    expect(alerts).toEqual([{ alert: 'row_unreadable', detail }]);
  });

  test('sends nothing from a rolled back transaction', async () => {
    const [lost, kept] = [newMail({ subject: 'Lost' }), newMail({ subject: 'Kept' })];
    const failing = database()
      .db.transaction()
      .execute(async (trx) => {
        await queueEmails(trx, [lost]);
        throw new Error('rolled back');
      });
    await expect(failing).rejects.toThrow('rolled back');
    await write(database(), kept);
    startWorker();
    await becomes(kept, { state: 'sent' });
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Kept']);
  });

  test('retries with growing pauses on a temporary failure, and then succeeds', async () => {
    const later = { at: 'rcpt', code: 451, text: '4.7.1 come back' } as const;
    smtp.plan(later, later);
    const mail = newMail();
    await write(database(), mail);
    startWorker();
    await becomes(mail, { state: 'queued', tries: 1, next_try_at: START_MS + MINUTE_MS });
    clock.advance(MINUTE_MS);
    await becomes(mail, { state: 'queued', tries: 2, next_try_at: START_MS + 6 * MINUTE_MS });
    clock.advance(5 * MINUTE_MS);
    await becomes(mail, { state: 'sent', tries: 3, last_error: null });
    expect(smtp.mails).toHaveLength(1);
  });

  test('gives up on an unknown mailbox and on a rejected mail', async () => {
    const bounced = newMail();
    smtp.plan({ at: 'rcpt', code: 550, text: `5.1.1 <${ADDRESS}>: no such user` });
    await write(database(), bounced);
    startWorker();
    await becomes(bounced, { state: 'failed', failed_because: 'bounced', tries: 1 });
    const rejected = newMail();
    smtp.plan({ at: 'data', code: 554, text: '5.6.0 no' });
    await write(database(), rejected);
    await becomes(rejected, { state: 'failed', failed_because: 'refused', tries: 1 });
  });

  test('deletes the text of an email when it is finished, and not before', async () => {
    const content = {
      subject: 'Secret',
      text: 'https://pay.example/stop/1',
      html: '<p>1</p>',
      headers: { 'X-Link': '<1>' },
    };
    const nothing = { subject: '', text: '', html: '', headers: {} };
    const [bounced, rejected, later, sent] = [newMail(content), newMail(content), newMail(content), newMail(content)];
    startWorker();
    smtp.plan({ at: 'rcpt', code: 550, text: '5.1.1 no' });
    await write(database(), bounced);
    await becomes(bounced, { state: 'failed', ...nothing });
    smtp.plan({ at: 'data', code: 554, text: '5.6.0 no' });
    await write(database(), rejected);
    await becomes(rejected, { state: 'failed', ...nothing });
    smtp.plan({ at: 'rcpt', code: 451, text: 'later' });
    await write(database(), later);
    await becomes(later, { state: 'queued', tries: 1, is_leased: false, ...content });
    await write(database(), sent);
    await becomes(sent, { state: 'sent', is_leased: false, recipient: ADDRESS, ...nothing });
    clock.advance(MINUTE_MS);
    await becomes(later, { state: 'sent', ...nothing });
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Secret', 'Secret', 'Secret']);
    expect(smtp.mails.at(-1)?.header('x-link')).toBe('<1>');
  });

  test('notifies the actor of a bounced mail before the bounce is stored, and of no other outcome', async () => {
    const received: unknown[] = [];
    const notifyActor: NotifyActor = async (actorId, mailId) => {
      const { state } = await rowOf(database(), bounced);
      received.push([actorId, mailId, state]);
    };
    const [bounced, rejected, sent, nobodys] = [
      newMail({ actorId: 'actor 1' }),
      newMail({ actorId: 'actor 2' }),
      newMail({ actorId: 'actor 3' }),
      newMail(),
    ];
    startWorker({ notifyActor });
    smtp.plan({ at: 'rcpt', code: 550, text: '5.1.1 no' });
    await write(database(), bounced);
    await becomes(bounced, { state: 'failed', failed_because: 'bounced' });
    smtp.plan({ at: 'data', code: 554, text: '5.7.1 spam' });
    await write(database(), rejected);
    await becomes(rejected, { state: 'failed', failed_because: 'refused' });
    await write(database(), sent);
    await becomes(sent, { state: 'sent' });
    smtp.plan({ at: 'rcpt', code: 550, text: '5.1.1 no' });
    await write(database(), nobodys);
    await becomes(nobodys, { state: 'failed', failed_because: 'bounced' });
    expect(received).toEqual([['actor 1', (await rowOf(database(), bounced)).id, 'queued']]);
  });

  test('retries a bounce that could not be reported, and its actor receives it once', async () => {
    const { db } = database();
    await createLedgerTable(database());
    const runtime = await startRuntime({ connection: database(), clock });
    const actorId = newActorId();
    await runtime.engine.start({ kind: 'ledger', actorId, startKey: null, input: {} });
    const notify = createNotifyActor({ engine: runtime.engine });
    let failures = 0;
    const no = { at: 'rcpt', code: 550, text: '5.1.1 no' } as const;
    smtp.plan(no, no);
    const mail = newMail({ actorId });
    await write(database(), mail);
    startWorker({
      async notifyActor(...bounce) {
        await notify(...bounce);
        // As if the process had died right after the actor's commit.
        failures += 1;
        if (failures === 1) throw new Error('lost the engine');
      },
    });
    await becomes(mail, { state: 'queued', tries: 1, is_leased: false, next_try_at: START_MS + MINUTE_MS });
    clock.advance(MINUTE_MS);
    await becomes(mail, { state: 'failed', failed_because: 'bounced', tries: 2, uncertain_tries: 0 });
    const { id } = await rowOf(database(), mail);
    const bounced = (await readJournal(db, actorId)).filter(({ event }) => event.type === 'mail.bounced');
    expect(bounced.map(({ eventId }) => eventId)).toEqual([`bounce:${id}`]);
    expect(lines.filter((line) => line.includes('a bounce could not be reported'))).toHaveLength(1);
    await runtime.stop();
  });

  test('waits for an unreachable server, logs it once, and gives up after two days', async () => {
    const { port } = smtp;
    await smtp.close();
    const [early, late] = [newMail(), newMail({ createdAt: START_MS + DAY_MS })];
    await write(database(), early, late);
    const unlucky = startWorker({ port });
    await becomes(early, { state: 'queued', tries: 1, next_try_at: START_MS + MINUTE_MS });
    clock.advance(MAIL_HORIZON_MS);
    await becomes(early, { state: 'failed', failed_because: 'gave_up', tries: 2 });
    await becomes(late, { state: 'queued', tries: 1 });
    expect(lines.filter((line) => line.includes('SMTP server unavailable'))).toHaveLength(1);
    await unlucky.stop();
    smtp = await startSmtp();
    startWorker();
    clock.advance(MINUTE_MS);
    await becomes(late, { state: 'sent' });
  });

  test('writes no address to the log or the error table', async () => {
    const mails = [newMail(), newMail(), newMail()];
    smtp.plan(
      { at: 'rcpt', code: 550, text: `5.1.1 <${ADDRESS}> unknown; try ${ADDRESS.toUpperCase()}` },
      { at: 'rcpt', code: 450, text: '4.2.1 <zoe> is busy' },
    );
    await write(database(), ...mails);
    startWorker();
    await vi.waitFor(async () => {
      const rows = await Promise.all(mails.map((mail) => rowOf(database(), mail)));
      expect(rows.map(({ state }) => state).sort()).toEqual(['failed', 'queued', 'sent']);
      expect(rows.map(({ last_error }) => last_error).join()).not.toMatch(/zoe/i);
    }, POLLING);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join()).not.toMatch(/zoe|shop\.example/i);
  });

  test('sends each email once with two workers', async () => {
    const mails = Array.from({ length: 20 }, (_, index) => newMail({ subject: `Mail ${index}` }));
    await write(database(), ...mails);
    startWorker();
    startWorker();
    await vi.waitFor(async () => {
      const { db } = database();
      expect(await db.selectFrom('mail').select('id').where('state', '=', 'sent').execute()).toHaveLength(20);
    }, POLLING);
    expect(smtp.mails).toHaveLength(20);
    expect(new Set(smtp.mails.map(({ subject }) => subject))).toEqual(new Set(mails.map(({ subject }) => subject)));
  });

  test.each<[string, SmtpResponse, object]>([
    ['a success', { at: 'hang' }, { state: 'sent', tries: 2 }],
    ['no failure', { at: 'hang', code: 554, text: 'no' }, { state: 'queued', tries: 2, failed_because: null }],
  ])('accepts %s from a worker whose lease has expired', async (_name, response, expected) => {
    const mail = newMail();
    await write(database(), mail);
    smtp.plan(response);
    const slow = startWorker();
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), POLLING);
    // The slow worker's lease ends, and another takes the mail.
    clock.advance(HOUR_MS);
    smtp.plan({ at: 'rcpt', code: 451, text: 'later' });
    startWorker();
    await becomes(mail, { state: 'queued', tries: 2, next_try_at: START_MS + HOUR_MS + 5 * MINUTE_MS });
    expect(await rowOf(database(), mail)).toMatchObject({ is_leased: false, uncertain_tries: 1 });
    smtp.release();
    await slow.stop();
    await becomes(mail, expected);
  });

  test('stores emails without a mail server, and does not send them later', async () => {
    const mail = newMail();
    await write(database(), mail);
    const keeping = startWorker({ isSending: false });
    await becomes(mail, { state: 'stored', next_try_at: null, tries: 0 });
    await keeping.stop();
    const fresh = newMail({ subject: 'Fresh' });
    await write(database(), fresh);
    startWorker();
    await becomes(fresh, { state: 'sent' });
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Fresh']);
    expect(await rowOf(database(), mail)).toMatchObject({ state: 'stored', subject: 'Subject', text: 'Text' });
  });

  test('holds an email that waits, and sends the others', async () => {
    const [held, other] = [newMail({ subject: 'Held' }), newMail({ subject: 'Other' })];
    await write(database(), held, other);
    await hold(held);
    startWorker();
    await becomes(other, { state: 'sent' });
    expect(await rowOf(database(), held)).toMatchObject({ state: 'stored', next_try_at: null, tries: 0 });
    expect(smtp.mails.map(({ subject }) => subject)).toEqual(['Other']);
  });

  test.each([
    ['sent', 'accepts it', { at: 'hang' }],
    ['stored', 'wants it later', { at: 'hang', code: 451 }],
    ['failed', 'rejects it', { at: 'hang', code: 554 }],
  ] as const)(
    'an email that is held while it is being sent ends as %s if the server %s',
    async (state, _, response) => {
      const [mail, next] = [newMail(), newMail()];
      smtp.plan(response);
      await write(database(), mail);
      startWorker();
      await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), POLLING);
      await hold(mail);
      await write(database(), next);
      smtp.release();
      // The worker takes the next one only after it has recorded the outcome of this one.
      await becomes(next, { state: 'sent' });
      expect(await rowOf(database(), mail)).toMatchObject({ state, is_leased: false, next_try_at: null, tries: 1 });
    },
  );

  test('records the bounce of an email that its actor holds because of it', async () => {
    const mail = newMail({ actorId: 'actor' });
    smtp.plan({ at: 'rcpt', code: 550, text: '5.1.1 no such mailbox' });
    await write(database(), mail);
    startWorker({ notifyActor: () => hold(mail) });
    await becomes(mail, { state: 'failed', failed_because: 'bounced', text: '' });
  });

  test('leaves emails that another process is sending, when there is no mail server here', async () => {
    const [hanging, waiting] = [newMail(), newMail()];
    await write(database(), hanging);
    smtp.plan({ at: 'hang' });
    startWorker();
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), POLLING);
    startWorker({ isSending: false });
    await write(database(), waiting);
    await becomes(waiting, { state: expect.stringMatching(/stored|sent/) });
    expect(await rowOf(database(), hanging)).toMatchObject({ state: 'queued', is_leased: true });
    smtp.release();
    await becomes(hanging, { state: 'sent' });
  });
});

test('pauses grow, and no attempt is later than two days after the mail', () => {
  const at: number[] = [];
  for (let tries = 1, now: number | null = START_MS; now !== null; tries += 1) {
    at.push(now - START_MS);
    now = nextTryAt({ tries, createdAt: START_MS, now });
  }
  const delays = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
  expect(delays.slice(0, MAIL_RETRY_DELAYS_MS.length)).toEqual(MAIL_RETRY_DELAYS_MS);
  expect(delays.toSorted((one, other) => one - other)).toEqual(delays);
  expect(at.at(-1)).toBeLessThanOrEqual(2 * DAY_MS);
  expect(at.at(-1)).toBeGreaterThan(2 * DAY_MS - 4 * HOUR_MS);
});

describePostgres('a process killed between the acceptance by the mail server and its own commit', () => {
  let database: TestDatabase | undefined;
  let smtp: TestSmtp | undefined;
  let child: ChildProcess | undefined;
  let successor: PollLoop | undefined;

  afterEach(async () => {
    child?.kill('SIGKILL');
    await successor?.stop();
    await smtp?.close();
    await database?.drop();
  });

  test('is followed by another that resends the mail with the same Message-ID', async () => {
    const program = compile('test/support/children/mail.ts');
    const own = await createPostgresDatabase();
    database = own;
    const server = await startSmtp();
    smtp = server;
    server.plan({ at: 'hang' });
    const mail = newMail();
    await write(own, mail);
    const order = JSON.stringify({ databaseUrl: own.url, port: server.port });
    const running = spawn(process.execPath, [program, order], { stdio: ['ignore', 'inherit', 'inherit'] });
    child = running;
    await vi.waitFor(() => expect(server.mails).toHaveLength(1), POLLING);
    running.kill('SIGKILL');
    await once(running, 'exit');
    expect(await rowOf(own, mail)).toMatchObject({ state: 'queued', tries: 1, is_leased: true, uncertain_tries: 0 });

    const clock = createTestClock();
    const transport = createSmtpTransport(mailConfig(server.port));
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
    successor = createMailWorker({ db: own.db, transport, clock, log, pollEveryMs: 10 });
    successor.start();
    clock.advance(10 * MINUTE_MS);
    await vi.waitFor(async () => expect(await rowOf(own, mail)).toMatchObject({ state: 'sent', tries: 2 }), POLLING);
    const [first, second] = server.mails;
    expect(server.mails).toHaveLength(2);
    expect(second?.messageId).toBe(first?.messageId);
    expect(second?.text).toBe(first?.text);
    const { id, is_leased, uncertain_tries } = await rowOf(own, mail);
    expect({ is_leased, uncertain_tries }).toEqual({ is_leased: false, uncertain_tries: 1 });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ mailId: id, uncertainTries: 1 }]);
  });
});

describePostgres('a worker that is stopped while it leases mails', () => {
  test('releases them immediately, without an uncertain attempt', async () => {
    const own = await createPostgresDatabase();
    const smtp = await startSmtp();
    const clock = createTestClock();
    const transport = createSmtpTransport(mailConfig(smtp.port));
    const worker = createMailWorker({
      db: own.db,
      transport,
      clock,
      log: createLogger({ level: 'silent' }),
      pollEveryMs: 10,
    });
    try {
      const mail = newMail();
      await write(own, mail);
      let stopping: Promise<void> | undefined;
      await own.db.transaction().execute(async (trx) => {
        await sql`lock table mail in access exclusive mode`.execute(trx);
        worker.start();
        await vi.waitFor(async () => {
          const { rows } = await sql`select from pg_locks where not granted and relation = 'mail'::regclass`.execute(
            trx,
          );
          expect(rows).toHaveLength(1);
        }, POLLING);
        stopping = worker.stop();
      });
      await stopping;
      expect(await rowOf(own, mail)).toMatchObject({ state: 'queued', is_leased: false, next_try_at: START_MS });
      expect(smtp.mails).toEqual([]);
      const successor = createMailWorker({
        db: own.db,
        transport,
        clock,
        log: createLogger({ level: 'silent' }),
        pollEveryMs: 10,
      });
      successor.start();
      await vi.waitFor(async () => {
        expect(await rowOf(own, mail)).toMatchObject({ state: 'sent', uncertain_tries: 0 });
      }, POLLING);
      await successor.stop();
    } finally {
      await worker.stop();
      await smtp.close();
      await own.drop();
    }
  });
});
