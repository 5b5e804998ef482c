import { Suspense, useRef, useState } from 'react';
import { DotsIcon } from '../icons.tsx';
import { lazyComponent } from '../lazy-component.ts';
import type { MenuAction } from './menu-window.tsx';

const MenuWindow = lazyComponent(() => import('./menu-window.tsx'), 'MenuWindow');

interface MoreMenuProps {
  /** Names the button and the menu, like `More for “Shop”`. */
  readonly label: string;
  readonly actions: readonly MenuAction[];
}

/** The rarer actions of a page or a row, behind a button with three dots. */
export function MoreMenu({ label, actions }: MoreMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const toggle = () => {
    setWasOpened(true);
    setIsOpen(!isOpen);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button button-quiet button-icon"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <DotsIcon />
      </button>
      {wasOpened ? (
        <Suspense fallback={null}>
          <MenuWindow label={label} actions={actions} button={button} isOpen={isOpen} setIsOpen={setIsOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
