import { useEffect, useState } from 'react';
import type { Mode } from '../../http/console/merchant/schemas.ts';
import type { SignedIn } from '../../http/console/session/schemas.ts';
import { useSignOut } from '../api/account.ts';
import { type LiveState, useLive } from '../api/live.ts';
import { hasModes, hrefOf, type Match, type PageName } from '../routing/paths.ts';
import { chooseMode, navigate, useMode } from '../routing/router.ts';
import { nextTheme, preferenceStore, type Theme, usePreference } from '../state/preferences.ts';
import { useShortcut } from '../state/shortcuts.ts';
import { Button } from '../ui/button.tsx';
import { MenuIcon, MoonIcon, RefreshIcon, ScreenIcon, SunIcon } from '../ui/icons.tsx';
import { Dialog } from '../ui/windows/dialog.tsx';
import { ShortcutHelp } from '../ui/windows/shortcut-help.tsx';
import type { PlainPage } from './navigation.tsx';
import { SideBar } from './side-bar.tsx';

interface TopBarProps {
  readonly user: SignedIn;
  readonly match: Match | null;
}

/** The same on every page: live updates, theme, and the signed-in user. */
export function TopBar({ user, match }: TopBarProps) {
  const signOut = useSignOut();
  return (
    <header className="top">
      <div className="top-left">
        <MenuButton user={user} match={match} />
      </div>
      {user.merchant === null || match === null || hasModes(match.page) ? null : (
        <span className="top-note">This page covers live and test mode.</span>
      )}
      {user.merchant === null ? null : <ModeSwitch match={match} />}
      <LiveSwitch isOfMerchant={user.merchant !== null} />
      <ShortcutHelp />
      <ThemeSwitch />
      <span className="top-who" title={user.email}>
        {user.merchant?.name ?? user.email}
      </span>
      <Button variant="quiet" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </header>
  );
}

// Helpers

/** On narrow screens a button opens the menu. */
function MenuButton({ user, match }: TopBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Closes when another page opens.
  useEffect(() => setIsOpen(false), [match]);
  return (
    <>
      <Button variant="quiet" className="button-icon" aria-label="Menu" onClick={() => setIsOpen(true)}>
        <MenuIcon />
      </Button>
      <Dialog title="Menu" isOpen={isOpen} close={() => setIsOpen(false)}>
        <SideBar user={user} match={match} />
      </Dialog>
    </>
  );
}

const THEME_ICONS: Readonly<Record<Theme, () => React.ReactNode>> = {
  system: ScreenIcon,
  light: SunIcon,
  dark: MoonIcon,
};
const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'system', light: 'light', dark: 'dark' };

function ThemeSwitch() {
  const theme = usePreference('theme');
  const Icon = THEME_ICONS[theme];
  const change = () => preferenceStore.trigger.themeChosen({ theme: nextTheme(theme) });
  useShortcut('t', 'Switch between light and dark', change);
  const label = `Colours: ${THEME_WORDS[theme]}`;
  return (
    <Button variant="quiet" className="button-icon" aria-label={label} title={`${label} (t)`} onClick={change}>
      <Icon />
    </Button>
  );
}

/** Switches automatic updates of the pages, and shows whether their stream is connected. */
function LiveSwitch({ isOfMerchant }: { readonly isOfMerchant: boolean }) {
  const isLive = usePreference('isLive');
  const state = useLive(isOfMerchant);
  const toggle = () => preferenceStore.trigger.liveToggled();
  useShortcut('l', 'Turn auto-refresh on or off', toggle);
  const label = `Auto-refresh: ${LIVE_WORDS[state]}`;
  return (
    <Button
      variant="quiet"
      className="button-icon live"
      aria-pressed={isLive}
      aria-label={label}
      title={`${label} (l)`}
      onClick={toggle}
    >
      <RefreshIcon />
      <span className={`live-dot live-dot-${state}`} />
    </Button>
  );
}

const LIVE_WORDS: Readonly<Record<LiveState, string>> = {
  off: 'pages do not update',
  connecting: 'connecting',
  on: 'pages update automatically',
  lost: 'connection lost, retrying',
};

/** Chooses between live and test payments; always visible, and coloured by the mode. */
function ModeSwitch({ match }: { readonly match: Match | null }) {
  const mode = useMode();
  const choose = (next: Mode) => {
    if (next === mode) return;
    if (match === null || !hasModes(match.page)) return chooseMode(next);
    navigate(hrefOf(IN_OTHER_MODE[match.page] ?? 'overview', {}, {}, next));
  };
  return (
    <div className={`modes modes-${mode}`} role="group" aria-label="Live or test">
      {MODES.map((each) => (
        <button key={each} type="button" aria-pressed={each === mode} onClick={() => choose(each)}>
          {MODE_WORDS[each]}
        </button>
      ))}
    </div>
  );
}

const MODES: readonly Mode[] = ['live', 'test'];
const MODE_WORDS: Readonly<Record<Mode, string>> = { live: 'Live', test: 'Test' };

/** Pages that exist in the other mode; a page of one object leads to its list. */
const IN_OTHER_MODE: Readonly<Partial<Record<PageName, PlainPage>>> = {
  needsAttention: 'needsAttention',
  payments: 'payments',
  payment: 'payments',
  links: 'links',
  schedules: 'schedules',
  schedule: 'schedules',
  statistics: 'statistics',
  plan: 'plan',
};
