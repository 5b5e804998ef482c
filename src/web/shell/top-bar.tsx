import { useEffect, useState } from 'react';
import type { SignedIn } from '../../http/console/session/schemas.ts';
import { useSignOut } from '../api/account.ts';
import type { Match } from '../routing/paths.ts';
import { useShortcut } from '../state/shortcuts.ts';
import { nextTheme, type Theme, useView, viewStore } from '../state/view-store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MenuIcon, MoonIcon, ScreenIcon, SunIcon } from '../ui/icons.tsx';
import { ShortcutHelp } from '../ui/shortcut-help.tsx';
import { LiveSwitch } from './live-switch.tsx';
import { ModeSwitch } from './mode-switch.tsx';
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
      {user.merchant === null ? null : <ModeSwitch match={match} />}
      <LiveSwitch isOfMerchant={user.merchant !== null} />
      <ShortcutHelp />
      <ThemeSwitch />
      <span className="top-who" title={user.email}>
        {user.merchant?.name ?? user.email}
      </span>
      <Button look="quiet" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
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
      <Button look="quiet" className="button-icon" aria-label="Menu" onClick={() => setIsOpen(true)}>
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
const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

function ThemeSwitch() {
  const theme = useView('theme');
  const Icon = THEME_ICONS[theme];
  const change = () => viewStore.trigger.themeChosen({ theme: nextTheme(theme) });
  useShortcut('t', 'Change between light and dark', change);
  const label = `Colours: ${THEME_WORDS[theme]}`;
  return (
    <Button look="quiet" className="button-icon" aria-label={label} title={`${label} (t)`} onClick={change}>
      <Icon />
    </Button>
  );
}
