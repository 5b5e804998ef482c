import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectNats } from '@nats-io/transport-node';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/platform/db/index.ts';
import type { Deployment } from '../support/processes/deployment.ts';
import { STATISTICS_LAG_MS } from './rows.ts';

/** What some work wrote and published. */
export interface Counted {
  readonly walBytes: number;
  readonly fullPages: number;
  readonly commits: number;
  readonly messages: number;
  readonly messageBytes: number;
}

/** Messages published to the streams of one installation since `listen` was called. */
interface Traffic {
  read(): { readonly messages: number; readonly messageBytes: number };
  stop(): Promise<void>;
}

/** Counts everything published to the stream in transit: subjects and bodies. */
export async function listen({ url, prefix }: Deployment['nats']): Promise<Traffic> {
  const connection = await connectNats({ servers: url.replace('nats://', '') });
  let [messages, messageBytes] = [0, 0];
  connection.subscribe(`${prefix}.>`, {
    callback(_error, message) {
      messages += 1;
      messageBytes += message.subject.length + message.data.length;
    },
  });
  await connection.flush();
  return { read: () => ({ messages, messageBytes }), stop: () => connection.close() };
}

/** Counts what the whole server and the streams write while `work` runs. */
export async function countDuring(
  db: Kysely<Database>,
  traffic: Traffic,
  work: () => Promise<unknown>,
): Promise<Counted> {
  const read = async () => ({ ...(await readLog(db)), ...traffic.read() });
  const before = await read();
  await work();
  const after = await read();
  return {
    walBytes: after.walBytes - before.walBytes,
    fullPages: after.fullPages - before.fullPages,
    commits: after.commits - before.commits,
    messages: after.messages - before.messages,
    messageBytes: after.messageBytes - before.messageBytes,
  };
}

export function sum(one: Counted, other: Counted): Counted {
  return {
    walBytes: one.walBytes + other.walBytes,
    fullPages: one.fullPages + other.fullPages,
    commits: one.commits + other.commits,
    messages: one.messages + other.messages,
    messageBytes: one.messageBytes + other.messageBytes,
  };
}

// Helpers

async function readLog(db: Kysely<Database>): Promise<Omit<Counted, 'messages' | 'messageBytes'>> {
  await sleep(STATISTICS_LAG_MS);
  const { rows } = await sql<{ bytes: number; pages: number; commits: number }>`
    select wal_bytes::int8 as bytes, wal_fpi as pages,
      (select xact_commit from pg_stat_database where datname = current_database()) as commits
    from pg_stat_wal`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the server reports nothing about its log');
  return { walBytes: row.bytes, fullPages: row.pages, commits: row.commits };
}
