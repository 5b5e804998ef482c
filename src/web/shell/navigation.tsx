import type { ReactNode } from 'react';
import type { UserRole } from '../../http/console/session/schemas.ts';
import { hrefOf, type PageName, type PathParams } from '../routing/paths.ts';
import { ClockIcon } from '../ui/icons.tsx';
import {
  BarsIcon,
  BellIcon,
  CalendarIcon,
  ChartIcon,
  CoinsIcon,
  EnvelopeIcon,
  FolderIcon,
  HomeIcon,
  HookIcon,
  KeyIcon,
  LinkIcon,
  ListIcon,
  LogIcon,
  PeopleIcon,
  PersonIcon,
  PulseIcon,
  RunIcon,
  SettingsIcon,
  ShopIcon,
  TagIcon,
  TrayIcon,
  WalletIcon,
} from './navigation-icons.tsx';

/** One menu entry. Pure data: a page is in the menu of exactly the roles named here. */
export interface NavigationEntry {
  readonly label: string;
  /** The target page; its URL depends on the current mode. */
  readonly page: PlainPage;
  readonly icon: ReactNode;
  /** The pages on which the entry is marked as current. */
  readonly pages: readonly PageName[];
  readonly roles: readonly UserRole[];
  /** Pressed after `g`, for "go". */
  readonly key: string;
  /** The count shown with the entry. */
  readonly count?: 'deadLetters' | 'needsAttention';
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

const SERVICE: readonly UserRole[] = ['operator', 'observer'];
const SHOP: readonly UserRole[] = ['owner', 'staff'];
const OWNER: readonly UserRole[] = ['owner'];
const ALL_ROLES: readonly UserRole[] = ['owner', 'staff', 'operator', 'observer'];

const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Payments',
    entries: [
      entry('Overview', 'overview', <HomeIcon />, { roles: SHOP, key: 'o' }),
      {
        ...entry('Needs attention', 'needsAttention', <BellIcon />, { roles: SHOP, key: 'n' }),
        count: 'needsAttention',
      },
      entry('Payments', 'payments', <CoinsIcon />, { pages: ['payments', 'payment'], roles: SHOP, key: 'p' }),
      entry('Payment links', 'links', <LinkIcon />, { roles: SHOP, key: 'i' }),
      entry('Recurring', 'schedules', <CalendarIcon />, { pages: ['schedules', 'schedule'], roles: SHOP, key: 'r' }),
      entry('Statistics', 'statistics', <BarsIcon />, { roles: SHOP, key: 's' }),
    ],
  },
  {
    title: 'Setup',
    entries: [
      entry('Wallets', 'wallets', <WalletIcon />, { roles: SHOP, key: 'w' }),
      entry('API keys', 'keys', <KeyIcon />, { roles: SHOP, key: 'k' }),
      entry('Webhooks', 'endpoints', <HookIcon />, { pages: ['endpoints', 'endpoint'], roles: SHOP, key: 'h' }),
      entry('Plan and invoices', 'plan', <TagIcon />, { roles: SHOP, key: 'l' }),
      entry('Settings', 'settings', <SettingsIcon />, { roles: SHOP, key: 'e' }),
      entry('Audit log', 'audit', <LogIcon />, { roles: OWNER, key: 'a' }),
    ],
  },
  {
    title: 'Operations',
    entries: [
      entry('Health', 'health', <PulseIcon />, { roles: SERVICE, key: 'h' }),
      entry('Charts', 'charts', <ChartIcon />, { pages: ['charts', 'chart'], roles: SERVICE, key: 'c' }),
      entry('Actors', 'actors', <ListIcon />, { pages: ['actors', 'actor'], roles: SERVICE, key: 'a' }),
      entry('Next timers', 'timers', <ClockIcon />, { roles: SERVICE, key: 't' }),
      { ...entry('Dead letters', 'deadLetters', <TrayIcon />, { roles: SERVICE, key: 'd' }), count: 'deadLetters' },
      entry('Unsent emails', 'mails', <EnvelopeIcon />, { roles: ['operator'], key: 'k' }),
      entry('Bulk runs', 'runs', <RunIcon />, { roles: SERVICE, key: 'r' }),
      entry('Open a journal file', 'journalFile', <FolderIcon />, { roles: SERVICE, key: 'j' }),
    ],
  },
  {
    title: 'Merchants',
    entries: [
      entry('Merchants', 'merchants', <ShopIcon />, { pages: ['merchants', 'merchant'], roles: SERVICE, key: 's' }),
      entry('Plans', 'plans', <TagIcon />, { roles: SERVICE, key: 'p' }),
      entry('Operator log', 'actions', <LogIcon />, { roles: SERVICE, key: 'o' }),
    ],
  },
  {
    title: 'Account',
    entries: [
      entry('Your account', 'account', <PersonIcon />, { roles: ALL_ROLES, key: 'm' }),
      entry('Users', 'users', <PeopleIcon />, { roles: ['owner', 'operator', 'observer'], key: 'u' }),
    ],
  },
];

export function navigationOf(role: UserRole): readonly NavigationGroup[] {
  return NAVIGATION.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ roles }) => roles.includes(role)),
  })).filter(({ entries }) => entries.length > 0);
}

/** The start page of a role. */
export function homeOf(role: UserRole): string {
  return hrefOf(navigationOf(role)[0]?.entries[0]?.page ?? 'account', {});
}

/**
 * Whether a role may open a page. The server checks again; this only avoids pages without content.
 */
export function mayOpen(role: UserRole, page: PageName): boolean {
  const owners = NAVIGATION.flatMap(({ entries }) => entries).filter(({ pages }) => pages.includes(page));
  return owners.length === 0 || owners.some(({ roles }) => roles.includes(role));
}

// Helpers

/** A page whose path has no parameters. */
export type PlainPage = { [Page in PageName]: keyof PathParams<Page> extends never ? Page : never }[PageName];

interface EntryOptions {
  readonly pages?: readonly PageName[];
  readonly roles: readonly UserRole[];
  readonly key: string;
}

function entry(label: string, page: PlainPage, icon: ReactNode, options: EntryOptions): NavigationEntry {
  const { pages = [page], roles, key } = options;
  return { label, page, icon, pages, roles, key };
}
