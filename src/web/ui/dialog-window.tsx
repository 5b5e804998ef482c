import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { CrossIcon } from './icons.tsx';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly isWide?: boolean;
  close(): void;
  readonly children: ReactNode;
}

/** What `Dialog` shows: most of its weight, so it is loaded when a dialog first opens. */
export function DialogWindow({ title, isOpen, isWide = false, close, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(opens) => (opens ? undefined : close())}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={isWide ? 'dialog dialog-wide' : 'dialog'}>
          <div className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close className="button button-quiet button-icon" aria-label="Close">
              <CrossIcon />
            </Base.Close>
          </div>
          <div className="dialog-body">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
