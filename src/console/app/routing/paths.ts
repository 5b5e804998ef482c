import type { Mode } from '../../contract/desk.ts';

/**
 * Every page and where it is, below `/console`. A page that is not here does not exist. In test mode a page of a merchant is
 * below `/console/test`, so that a test payment is not mistaken for real money, wherever an address is sent to.
 */
export const PATHS = {
  home: '/',
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

/** What the path of a page holds, like `{id}`. */
export type PathParams<Page extends PageName> = Readonly<Record<NamesIn<(typeof PATHS)[Page]>, string>>;

/** What follows the question mark. Undefined values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export type Match = {
  [Page in PageName]: { readonly page: Page; readonly mode: Mode; readonly params: PathParams<Page> };
}[PageName];

/** Pages that show one thing in live and another in test mode. */
const OF_MODES: ReadonlySet<PageName> = new Set<PageName>([
  'overview',
  'needsAttention',
  'payments',
  'payment',
  'links',
  'schedules',
  'schedule',
  'statistics',
]);

/** The mode that links lead to; the router keeps it. */
export const modeInMind: { current: Mode } = { current: 'live' };

/** Where everything of the console lies on its server. */
export const BASE = '/console';

/** The address of a page, to be put into a link. A page of modes keeps the one that is looked at, unless another is asked for. */
export function hrefOf<Page extends PageName>(
  page: Page,
  params: PathParams<Page>,
  query: Query = {},
  mode: Mode = modeInMind.current,
): string {
  const values: Readonly<Record<string, string>> = params;
  const path = PATHS[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const place = mode === 'test' && OF_MODES.has(page) ? TEST : '';
  return `${BASE}${place}${path}${queryText(query)}`;
}

/** Whether a page shows one thing in live and another in test mode. */
export function hasModes(page: PageName): boolean {
  return OF_MODES.has(page);
}

/** `?a=1&b=2` in the order given, or nothing. */
export function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** The page at an address; null when there is none. */
export function matchPath(pathname: string): Match | null {
  const path = pathname === BASE ? '/' : pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : null;
  if (path === null) return null;
  const isTest = path.startsWith(`${TEST}/`);
  for (const page of Object.keys(PATHS) as PageName[]) {
    if (isTest && !OF_MODES.has(page)) continue;
    const params = paramsIn(PATHS[page], isTest ? path.slice(TEST.length) : path);
    // Which page it is and what its path holds belong together, which a loop cannot tell the compiler.
    if (params !== null) return { page, mode: isTest ? 'test' : 'live', params } as Match;
  }
  return null;
}

// Helpers

const TEST = '/test';

function paramsIn(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.replace(/(?<=.)\/$/, '').split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [position, part] of wanted.entries()) {
    const value = decoded(given[position] ?? '');
    if (value === null || (part.startsWith(':') ? value === '' : value !== part)) return null;
    if (part.startsWith(':')) params[part.slice(1)] = value;
  }
  return params;
}

/** Null for text that is not percent-encoded properly. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
