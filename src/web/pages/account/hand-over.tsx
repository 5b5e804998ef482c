import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/windows/dialog.tsx';

interface HandOverProps {
  readonly email: string;
  /** Whose password the link sets, like `the owner`. */
  readonly whose: string;
  readonly url: string;
  close(): void;
}

/** This service sends no emails, so the operator passes the link of an invitation on. */
export function HandOver({ email, whose, url, close }: HandOverProps) {
  return (
    <Dialog title="Share this link" isWide isOpen close={close}>
      <p>
        This service sends no emails. Give this link to <strong className="wrap">{email}</strong>: it sets the password
        of {whose}, once, within 7 days.
      </p>
      <div className="once">
        <code className="once-value">{url}</code>
        <Copy text={url} label="the link" />
      </div>
      <div className="button-row">
        <Button variant="main" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
