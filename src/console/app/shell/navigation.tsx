import type { ReactNode } from 'react';
import type { Role } from '../../contract.ts';
import { hrefOf, type PageName } from '../routing/paths.ts';
import { ChartIcon, LetterIcon, ListIcon, PeopleIcon, PersonIcon, PulseIcon, RunIcon } from '../ui/icons.tsx';

/** One entry of the menu. Data alone: a page is in the menu of exactly the roles named here. */
export interface NavigationEntry {
  readonly label: string;
  readonly href: string;
  readonly icon: ReactNode;
  /** Pages during which the entry is marked as the place one is at. */
  readonly pages: readonly PageName[];
  readonly roles: readonly Role[];
  /** Pressed after `g`, for go. */
  readonly key: string;
  /** Which number of the health of the system stands beside it. */
  readonly count?: 'deadLetters';
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

const SERVICE: readonly Role[] = ['operator', 'observer'];
const EVERYBODY: readonly Role[] = ['owner', 'staff', 'operator', 'observer'];

const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Operation',
    entries: [
      entry('Charts', 'charts', <ChartIcon />, { pages: ['charts', 'chart'], roles: SERVICE, key: 'c' }),
      entry('Actors', 'actors', <ListIcon />, { pages: ['actors', 'actor'], roles: SERVICE, key: 'a' }),
      { ...entry('Dead letters', 'deadLetters', <LetterIcon />, { roles: SERVICE, key: 'd' }), count: 'deadLetters' },
      entry('Kept mails', 'mails', <LetterIcon />, { roles: ['operator'], key: 'k' }),
      entry('Bulk runs', 'runs', <RunIcon />, { roles: SERVICE, key: 'r' }),
      entry('Health', 'health', <PulseIcon />, { roles: SERVICE, key: 'h' }),
    ],
  },
  {
    title: 'You and others',
    entries: [
      entry('Account', 'account', <PersonIcon />, { roles: EVERYBODY, key: 'm' }),
      entry('Users', 'users', <PeopleIcon />, { roles: ['owner', 'operator', 'observer'], key: 'u' }),
    ],
  },
];

/** What of the menu a role sees. */
export function navigationOf(role: Role): readonly NavigationGroup[] {
  return NAVIGATION.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ roles }) => roles.includes(role)),
  })).filter(({ entries }) => entries.length > 0);
}

/** Where somebody begins. */
export function homeOf(role: Role): string {
  return navigationOf(role)[0]?.entries[0]?.href ?? hrefOf('account', {});
}

/** Whether a role may look at a page at all. The server decides again; this only spares a page that can show nothing. */
export function mayOpen(role: Role, page: PageName): boolean {
  const owners = NAVIGATION.flatMap(({ entries }) => entries).filter(({ pages }) => pages.includes(page));
  return owners.length === 0 || owners.some(({ roles }) => roles.includes(role));
}

// Helpers

type PlainPage = 'charts' | 'actors' | 'deadLetters' | 'mails' | 'runs' | 'health' | 'account' | 'users';

interface EntryOptions {
  readonly pages?: readonly PageName[];
  readonly roles: readonly Role[];
  readonly key: string;
}

function entry(label: string, page: PlainPage, icon: ReactNode, options: EntryOptions): NavigationEntry {
  const { pages = [page], roles, key } = options;
  return { label, href: hrefOf(page, {}), icon, pages, roles, key };
}
