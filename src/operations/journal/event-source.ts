import type { EventSource } from '../types.ts';

/**
 * The source of an event, by the prefix of its id: every sender sets one, and
 * none can choose it freely.
 */
export function eventSourceOf(eventId: string): EventSource {
  const form = FORMS.find(({ prefixes }) => prefixes.some((prefix) => eventId.startsWith(prefix)));
  return form?.source ?? 'service';
}

// Helpers

/**
 * Prefixes of the senders in this repository. Any other id belongs to an
 * internal part of the service.
 */
const FORMS: readonly { readonly source: EventSource; readonly prefixes: readonly string[] }[] = [
  { source: 'start', prefixes: ['actor.started'] },
  { source: 'timer', prefixes: ['timer:'] },
  // Simulated events arrive in the same form as those of the simulated network.
  { source: 'chain', prefixes: ['chain:', 'balance:', 'simulate:'] },
  { source: 'merchant', prefixes: ['merchant:', 'redelivery:'] },
  { source: 'customer', prefixes: ['customer.'] },
  { source: 'operator', prefixes: ['operator:'] },
];
