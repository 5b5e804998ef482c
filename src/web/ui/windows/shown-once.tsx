import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { Copy } from '../copy.tsx';
import { CheckField } from '../forms/field.tsx';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** What the value is, like `the key`. */
  readonly label: string;
  readonly value: string;
  close(): void;
  /** Where to store it, and what to do next. */
  readonly children: ReactNode;
}

/** A secret that cannot be shown again. It stays until the user confirms that it is stored. */
export function ShownOnce({ title, label, value, close, children }: ShownOnceProps) {
  const [isStored, setIsStored] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const leave = () => (isStored ? close() : setHasTried(true));
  return (
    <Dialog title={title} isWide isOpen close={leave}>
      <p className="notice">
        <span>
          <strong>Shown only once.</strong> Not even the operator of this service can show it again.
        </span>
      </p>
      <div className="once">
        <code className="once-value">{value}</code>
        <Copy text={value} label={label} />
      </div>
      {children}
      <CheckField label="I have stored it" checked={isStored} onChange={(event) => setIsStored(event.target.checked)} />
      {hasTried && !isStored ? (
        <p className="field-error" role="alert">
          Store it first, then tick the box. If it is lost, you must replace it.
        </p>
      ) : null}
      <div className="button-row">
        <Button variant={isStored ? 'main' : 'plain'} onClick={leave}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
