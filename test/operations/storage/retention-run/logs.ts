import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../../../machines/index.ts';
import type { Database } from '../../../../src/platform/db/index.ts';

/** Inserts a row into each log table with a retention period, with ids that name the event. */
export async function writeLogs(
  db: Kysely<Database>,
  { merchantId, index, now, isOver }: { merchantId: string; index: number; now: number; isOver: boolean },
): Promise<void> {
  const at = new Date(now);
  const id = `row-${index}`;
  await db
    .insertInto('mail')
    .values({
      id,
      recipient: 'a@b.example',
      subject: '',
      text: '',
      html: '',
      headers: '{}',
      dedupe_key: id,
      created_at: at,
      ...(isOver ? { state: 'sent', sent_at: at } : { state: 'queued', next_try_at: at }),
    })
    .execute();
  await sql`
    insert into dead_letter (queue, message_id, reason, created_at, resolved_at)
    values ('q', ${id}, 'r', ${at}, ${isOver ? at : null})`.execute(db);
  await sql`
    insert into operation_run (id, request_id, who, task, filter, reason, state, total, created_at, ended_at)
    values (${id}, ${id}, 'u', '{}', '{}', 'r', ${isOver ? 'done' : 'paused'}, 1, ${at}, ${isOver ? at : null})`.execute(
    db,
  );
  await sql`insert into operation_item (run_id, position, subject_id) values (${id}, 1, 'a')`.execute(db);
  await sql`
    insert into session (id, token_hash, user_id, user_agent, network_hash, created_at, last_seen_at, expires_at,
      revoked_at)
    values (${id}, ${id}, ${`usr-${merchantId}`}, '', 'n', ${at}, ${at}, ${new Date(now + 30 * DAY_MS)},
      ${isOver ? at : null})`.execute(db);
  await sql`
    insert into audit_entry (merchant_id, who, what, subject_id, occurred_at)
    values (${merchantId}, 'user u', 'api_key.revoked', ${id}, ${at})`.execute(db);
  await sql`
    insert into operator_action (request_id, who, what, subject_id, details, reason, asked_at)
    values (${id}, 'u', 'event.sent', ${id}, '{}', 'r', ${at})`.execute(db);
}
