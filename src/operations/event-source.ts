import type { EventSource } from './types.ts';

/** Who an event comes from, by the form of its id: the one thing every sender gives, and nobody can choose freely. */
export function eventSourceOf(eventId: string): EventSource {
  const form = FORMS.find(({ prefixes }) => prefixes.some((prefix) => eventId.startsWith(prefix)));
  return form?.source ?? 'service';
}

// Helpers

/** Ids of the senders in this repository; those of other parts of the service name no one outside of it. */
const FORMS: readonly { readonly source: EventSource; readonly prefixes: readonly string[] }[] = [
  { source: 'start', prefixes: ['actor.started'] },
  { source: 'timer', prefixes: ['timer:'] },
  // What a test key simulates is told as its network would tell it.
  { source: 'chain', prefixes: ['chain:', 'balance:', 'simulate:'] },
  { source: 'merchant', prefixes: ['merchant:', 'redelivery:'] },
  { source: 'customer', prefixes: ['customer.'] },
  { source: 'operator', prefixes: ['operator:'] },
];
