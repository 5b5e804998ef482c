import { Menu } from '@base-ui/react/menu';
import type { RefObject } from 'react';
import '../../styles/menu.css';

export interface MenuAction {
  readonly name: string;
  readonly isDanger?: boolean;
  act(): void;
}

interface MenuWindowProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** The button at which the menu opens; it regains the focus. */
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  setIsOpen(isOpen: boolean): void;
}

/** What `MoreMenu` opens: most of its weight, so it is loaded when a menu first opens. */
export function MenuWindow({ label, actions, button, isOpen, setIsOpen }: MenuWindowProps) {
  return (
    <Menu.Root open={isOpen} onOpenChange={(opens) => setIsOpen(opens)}>
      <Menu.Portal>
        <Menu.Positioner className="menu-positioner" anchor={button} align="end" sideOffset={4}>
          <Menu.Popup className="menu" aria-label={label} finalFocus={button}>
            {actions.map(({ name, isDanger = false, act }) => (
              <Menu.Item key={name} className={isDanger ? 'menu-item menu-danger' : 'menu-item'} onClick={act}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
