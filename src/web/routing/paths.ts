import type { Mode } from '../../http/console/merchant/schemas.ts';

/**
 * Every page with its path below `/console`; there are no others. In test mode, merchant pages are
 * below `/console/test`, so that a shared URL never shows a test payment as real money.
 */
export const PATHS = {
  home: '/',
  setup: '/setup',
  signIn: '/sign-in',
  forgotten: '/forgotten',
  resetPassword: '/password-reset',
  signUp: '/sign-up',
  confirmSignUp: '/sign-up/confirm',
  account: '/account',
  users: '/users',
  charts: '/charts',
  chart: '/charts/:kind',
  actors: '/actors',
  actor: '/actors/:id',
  timers: '/timers',
  deadLetters: '/dead-letters',
  mails: '/mails',
  runs: '/runs',
  health: '/health',
  merchants: '/merchants',
  merchant: '/merchants/:id',
  plans: '/plans',
  actions: '/actions',
  journalFile: '/journal-file',
  overview: '/overview',
  needsAttention: '/needs-attention',
  payments: '/payments',
  payment: '/payments/:id',
  links: '/links',
  schedules: '/recurring',
  schedule: '/recurring/:id',
  statistics: '/statistics',
  endpoints: '/webhooks',
  endpoint: '/webhooks/:id',
  wallets: '/wallets',
  keys: '/keys',
  plan: '/plan',
  settings: '/settings',
  audit: '/audit',
} as const;

export type PageName = keyof typeof PATHS;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a page's path, like `{id}`. */
export type PathParams<Page extends PageName> = Readonly<Record<NamesIn<(typeof PATHS)[Page]>, string>>;

/** The query string. Undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export type Match = {
  [Page in PageName]: { readonly page: Page; readonly mode: Mode; readonly params: PathParams<Page> };
}[PageName];

/** Pages that differ between live and test mode. */
const OF_MODES: ReadonlySet<PageName> = new Set<PageName>([
  'overview',
  'needsAttention',
  'payments',
  'payment',
  'links',
  'schedules',
  'schedule',
  'statistics',
  'plan',
]);

/** The mode of generated links, kept up to date by the router. */
export const selectedMode: { current: Mode } = { current: 'live' };

/** The console's path on its server. */
export const BASE = '/console';

/**
 * The URL of a page, for links. A page with modes keeps the current one unless another is given.
 */
export function hrefOf<Page extends PageName>(
  page: Page,
  params: PathParams<Page>,
  query: Query = {},
  mode: Mode = selectedMode.current,
): string {
  const values: Readonly<Record<string, string>> = params;
  const path = PATHS[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const prefix = mode === 'test' && OF_MODES.has(page) ? TEST : '';
  return `${BASE}${prefix}${path}${queryText(query)}`;
}

/** Whether a page differs between live and test mode. */
export function hasModes(page: PageName): boolean {
  return OF_MODES.has(page);
}

/** `?a=1&b=2` in the given order, or an empty string. */
export function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** The page of a path; null when there is none. */
export function matchPath(pathname: string): Match | null {
  const path = pathname === BASE ? '/' : pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : null;
  if (path === null) return null;
  const isTest = path.startsWith(`${TEST}/`);
  for (const page of Object.keys(PATHS) as PageName[]) {
    if (isTest && !OF_MODES.has(page)) continue;
    const params = paramsIn(PATHS[page], isTest ? path.slice(TEST.length) : path);
    // A loop loses the type relation between a page and its parameters.
    if (params !== null) return { page, mode: isTest ? 'test' : 'live', params } as Match;
  }
  return null;
}

// Helpers

const TEST = '/test';

function paramsIn(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const given = path.replace(/(?<=.)\/$/, '').split('/');
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [position, part] of expected.entries()) {
    const value = decoded(given[position] ?? '');
    if (value === null || (part.startsWith(':') ? value === '' : value !== part)) return null;
    if (part.startsWith(':')) params[part.slice(1)] = value;
  }
  return params;
}

/** Null for text with invalid percent-encoding. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
