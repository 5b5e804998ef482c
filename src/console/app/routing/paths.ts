/** Every page and where it is, below `/console`. A page that is not here does not exist. */
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

export type Match = { [Page in PageName]: { readonly page: Page; readonly params: PathParams<Page> } }[PageName];

/** Where everything of the console lies on its server. */
export const BASE = '/console';

/** The address of a page, to be put into a link. */
export function hrefOf<Page extends PageName>(page: Page, params: PathParams<Page>, query: Query = {}): string {
  const values: Readonly<Record<string, string>> = params;
  const path = PATHS[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return `${BASE}${path}${queryText(query)}`;
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
  for (const page of Object.keys(PATHS) as PageName[]) {
    const params = paramsIn(PATHS[page], path);
    if (params !== null) return { page, params } as Match;
  }
  return null;
}

// Helpers

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
