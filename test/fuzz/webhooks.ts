import { OK, type ReceivedWebhook, type ReceiverResponse } from '../support/outside/receiver.ts';
import { MODES, type Scope, SHOPS, type Shop } from './fixtures.ts';
import type { Ledger } from './ledger.ts';

/** First webhook answers: some are errors, so that some deliveries wait while others have ended. */
export const FIRST_RESPONSES: readonly ReceiverResponse[] = Array.from({ length: 3_000 }, (_, nth) =>
  nth % 4 === 1 ? { kind: 'status', status: 503, body: 'later, please' } : OK,
);

/** Describes webhooks with another shop's data. Every shop has its mark in its endpoint URLs. */
export function leakedWebhooks(received: readonly ReceivedWebhook[], ledger: Ledger): string[] {
  return received.flatMap(({ path, body, headers }) => {
    const readers = readersAt(path, ledger);
    const leaks = ledger.leaksIn(`${path} ${body} ${JSON.stringify(headers)}`, readers);
    return leaks.map((word) => `${path} (${readers.join(' and ') || 'nobody'}) received "${word}"`);
  });
}

/** The shops that received webhooks. */
export function shopsNotified(received: readonly ReceivedWebhook[], ledger: Ledger): Shop[] {
  return SHOPS.filter((shop) => received.some(({ path }) => path.includes(ledger.markOf(`${shop}.live`))));
}

// Helpers

/** An endpoint receives events of both modes. */
function readersAt(path: string, ledger: Ledger): Scope[] {
  const shops = SHOPS.filter((shop) => path.includes(ledger.markOf(`${shop}.live`)));
  return shops.flatMap((shop) => MODES.map((mode): Scope => `${shop}.${mode}`));
}
