import { Suspense, useState } from 'react';
import { lazyComponent } from '../lazy-component.ts';
import type { DialogProps } from './dialog-window.tsx';

const DialogWindow = lazyComponent(() => import('./dialog-window.tsx'), 'DialogWindow');

/** A modal dialog. Focus stays inside and returns to where it came from; Escape closes it. */
export function Dialog(props: DialogProps) {
  // Stays mounted when it closes, to restore the focus.
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  );
}
