import { expect } from 'vitest';
import { follow, statusOf } from '../../demo/play.ts';
import type { ReachedStatus, Stage } from '../../demo/scenarios.ts';
import type { Shop, ShopWebhook } from '../../demo/shop.ts';
import { waitFor } from '../../demo/wait.ts';
import type { TransactionView } from '../../src/payments/index.ts';

/** Waits until a payment has a status; returns the payment at that time. */
export function comesTo(harness: Pick<Stage, 'shop'>, id: string, status: ReachedStatus): Promise<TransactionView> {
  return follow(harness, id, [], status);
}

/** Waits until the on-chain payments of a transaction have these statuses, in any order. */
export async function paymentsAre({ shop }: Pick<Stage, 'shop'>, id: string, statuses: readonly string[]) {
  let last = '';
  const ask = async () => {
    const transaction = await shop.get(id);
    last = transaction.payments
      .map((payment) => payment.status)
      .toSorted()
      .join();
    return last === statuses.toSorted().join() ? transaction : null;
  };
  return waitFor(ask, () => `the payments of ${id} are ${last || 'none'} instead of ${statuses.join()}`);
}

/**
 * Waits for the webhooks of a transaction, given in order of their sequence, and checks that there
 * are no others: the sequence starts with 1 without gaps, and every event was sent once, under its
 * own id and with valid signatures. Where the service may have been interrupted while sending,
 * unrecorded webhooks are repeated: the same bytes under the same id.
 */
export async function expectWebhooks(
  shop: Shop,
  id: string,
  events: readonly string[],
  { mayRepeat = false }: { readonly mayRepeat?: boolean } = {},
): Promise<void> {
  await webhooksArrived(shop, id, events.length);
  const all = inSequence(shop.webhooksOf(id));
  const webhooks = mayRepeat ? withoutRepeats(all) : all;
  expect(webhooks.map(({ sequence, event }) => `${sequence} ${event}`)).toEqual(
    events.map((event, index) => `${index + 1} payment.${event}`),
  );
  expect(new Set(webhooks.map((webhook) => webhook.id)).size).toBe(events.length);
  expect(all.filter((webhook) => !webhook.isGenuine)).toEqual([]);
}

/** Waits until this many different events of a transaction have arrived. */
export async function webhooksArrived(shop: Shop, id: string, count: number): Promise<void> {
  const arrived = async () => new Set(shop.webhooksOf(id).map((webhook) => webhook.id)).size;
  await waitFor(
    async () => ((await arrived()) >= count ? true : null),
    () => `${count} webhooks about ${id} were expected; got ${inSequence(shop.webhooksOf(id)).map(nameOf).join(', ')}`,
  );
}

/** Checks the current status of a payment. */
export async function expectStatus({ shop }: Pick<Stage, 'shop'>, id: string, status: ReachedStatus): Promise<void> {
  expect(statusOf(await shop.get(id))).toBe(status);
}

// Helpers

/** The first webhook of each id; repetitions must be identical byte for byte. */
function withoutRepeats(webhooks: readonly ShopWebhook[]): ShopWebhook[] {
  const first = new Map<string, ShopWebhook>();
  for (const webhook of webhooks) {
    const known = first.get(webhook.id) ?? webhook;
    expect(webhook.body).toBe(known.body);
    first.set(webhook.id, known);
  }
  return [...first.values()];
}

function inSequence(webhooks: readonly ShopWebhook[]): ShopWebhook[] {
  return webhooks.toSorted((one, other) => one.sequence - other.sequence);
}

function nameOf({ sequence, event }: ShopWebhook): string {
  return `${sequence} ${event}`;
}
