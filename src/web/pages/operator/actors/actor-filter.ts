import type { ActorFilter } from '../../../../http/console/operator/schemas.ts';
import type { Query } from '../../../routing/paths.ts';

/** Durations have a short form in the URL: `rest=1h`. */
export const RESTS = [
  ['10m', '10 minutes', 600_000],
  ['1h', '1 hour', 3_600_000],
  ['1d', '1 day', 86_400_000],
  ['7d', '7 days', 604_800_000],
] as const;

/** Filters that are on or off: name in the URL, field, label, and the filter as text. */
export const FLAGS = [
  ['overdue', 'isOverdue', 'Overdue in this state', 'overdue in their state'],
  ['late', 'isLate', 'Timer is late', 'with a late timer'],
  ['timer', 'hasTimer', 'Waits for a timer', 'waiting for a timer'],
  ['failed', 'hasFailed', 'Has a dead letter', 'with a dead letter'],
  ['retrying', 'isRetrying', 'Being retried', 'being retried'],
] as const;

/** The filter in a URL. The whole filter is in the URL, so that it can be shared. */
export function filterIn(query: URLSearchParams, firstKind: string): ActorFilter {
  const restingMs = RESTS.find(([name]) => name === query.get('rest'))?.[2];
  const [state, merchantId, search] = [query.get('state'), query.get('merchant'), query.get('search')];
  const mode = query.get('mode');
  return {
    kind: query.get('kind') ?? firstKind,
    ...(state === null ? {} : { state }),
    ...(merchantId === null ? {} : { merchantId }),
    ...(restingMs === undefined ? {} : { restingMs }),
    ...(mode === 'live' || mode === 'test' ? { mode } : {}),
    ...Object.fromEntries(FLAGS.flatMap(([name, field]) => (query.get(name) === '1' ? [[field, true]] : []))),
    ...(search === null ? {} : { search }),
  };
}

/** The URL query of a filter, the reverse of `filterIn`. */
export function queryOf(filter: ActorFilter): Query {
  return {
    kind: filter.kind,
    state: filter.state,
    merchant: filter.merchantId,
    mode: filter.mode,
    rest: RESTS.find(([, , ms]) => ms === filter.restingMs)?.[0],
    ...Object.fromEntries(FLAGS.map(([name, field]) => [name, filter[field] === true ? 1 : undefined])),
    search: filter.search,
  };
}

/** Whether it selects all actors of its kind. */
export function isPlain(filter: ActorFilter): boolean {
  return Object.keys(filter).length === 1;
}

export function filterWords(filter: ActorFilter): string {
  const rest = RESTS.find(([, , ms]) => ms === filter.restingMs)?.[1];
  return [
    filter.kind,
    filter.state === undefined ? '' : `in ${filter.state}`,
    filter.mode === undefined ? '' : `in ${filter.mode} mode`,
    filter.merchantId === undefined ? '' : `of ${filter.merchantId}`,
    filter.restingMs === undefined ? '' : `for at least ${rest ?? `${filter.restingMs} ms`}`,
    ...FLAGS.map(([, field, , words]) => (filter[field] === true ? words : '')),
    filter.search === undefined ? '' : searchWords(filter.kind, filter.search),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Payments are also found by what shops call them: two shops may use one order id. */
function searchWords(kind: string, search: string): string {
  if (kind !== 'transaction' || search.startsWith('txn_')) return `whose id starts with ${search}`;
  return `of any shop, whose id starts with ${search} or whose order id, address or txid is ${search}`;
}
