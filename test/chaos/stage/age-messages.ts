import type { OwnPostgres } from './own-postgres.ts';

/**
 * Moves the send time of all messages sent so far back by this much. The service resends messages
 * that NATS has lost after minutes of the database's clock, which tests cannot advance.
 */
export async function ageSentMessages({ ask }: Pick<OwnPostgres, 'ask'>, byMs: number): Promise<void> {
  const interval = `make_interval(secs => ${byMs / 1_000})`;
  await ask(`update pending_observation set sent_at = sent_at - ${interval}`);
  await ask(`update outbox_message set published_at = published_at - ${interval} where published_at is not null`);
}
