import { Dialog as Base } from '@base-ui/react/dialog';
import { memo, type ReactNode, useState } from 'react';
import { CrossIcon } from '../icons.tsx';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly isWide?: boolean;
  close(): void;
  readonly children: ReactNode;
}

/** What `Dialog` shows: most of its weight, so it is loaded when a dialog first opens. */
export function DialogWindow({ isOpen, isWide = false, close, ...content }: DialogProps) {
  const [opening, setOpening] = useState({ isOpen, count: 0 });
  if (opening.isOpen !== isOpen) setOpening({ isOpen, count: opening.count + (isOpen ? 1 : 0) });
  return (
    <Base.Root open={isOpen} onOpenChange={(opens) => (opens ? undefined : close())}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={isWide ? 'dialog dialog-wide' : 'dialog'}>
          <Content key={opening.count} isOpen={isOpen} {...content} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

// Helpers

/** While it fades out it stays as it was: most dialogs close by losing what they are about. */
const Content = memo(
  ({ title, children }: Pick<DialogProps, 'title' | 'isOpen' | 'children'>) => (
    <>
      <div className="dialog-head">
        <Base.Title className="dialog-title">{title}</Base.Title>
        <Base.Close className="button button-quiet button-icon" aria-label="Close">
          <CrossIcon />
        </Base.Close>
      </div>
      <div className="dialog-body">{children}</div>
    </>
  ),
  (_, { isOpen }) => !isOpen,
);
