import { useState } from 'react';
import { preferenceStore, usePreference } from '../../state/preferences.ts';
import { useShortcut, useShortcutList } from '../../state/shortcuts.ts';
import { CheckField } from '../forms/field.tsx';
import { KeyboardIcon } from '../icons.tsx';
import { Dialog } from './dialog.tsx';

/** A button, and the key `?`, that list the shortcuts of the page. */
export function ShortcutHelp() {
  const [isOpen, setIsOpen] = useState(false);
  const shortcuts = useShortcutList();
  const areOn = usePreference('hasShortcuts');
  useShortcut('?', 'Show the shortcuts', () => setIsOpen(true));
  const unique = [...new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values()];
  return (
    <>
      <button
        type="button"
        className="button button-quiet button-icon shortcut-help"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => setIsOpen(true)}
      >
        <KeyboardIcon />
      </button>
      <Dialog title="Keyboard shortcuts" isOpen={isOpen} close={() => setIsOpen(false)}>
        <dl className="shortcuts">
          {unique.map(({ keys, label }) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
        <CheckField
          label="Use single-key shortcuts in this browser"
          checked={areOn}
          onChange={() => preferenceStore.trigger.shortcutsToggled()}
        />
      </Dialog>
    </>
  );
}
