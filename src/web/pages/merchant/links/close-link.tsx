import { useState } from 'react';
import type { LinkInfo } from '../../../../http/console/merchant/links/schemas.ts';
import { useCloseLink } from '../../../api/links.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';

/**
 * Closes a link permanently, after a confirmation. Renders nothing for a closed or used-up link.
 */
export function CloseLink({ link: { slug, title, state } }: { readonly link: LinkInfo }) {
  const close = useCloseLink();
  const [isConfirming, setIsConfirming] = useState(false);
  if (state === 'closed' || state === 'used_up') return null;
  if (!isConfirming) {
    return (
      <div className="button-row">
        <Button variant="danger" onClick={() => setIsConfirming(true)}>
          Close link…
        </Button>
      </div>
    );
  }
  return (
    <section className="notice" aria-label="Close this link">
      <p>
        It starts no new payments; customers who open it see that it is closed. Open payments can still be paid. A
        closed link cannot be reopened.
      </p>
      <Problem error={close.error} />
      <div className="button-row">
        <Button
          variant="danger"
          isBusy={close.isPending}
          onClick={() => close.mutate(slug, { onSuccess: () => toast(`“${title}” is closed.`) })}
        >
          Close permanently
        </Button>
        <Button onClick={() => setIsConfirming(false)}>Keep it open</Button>
      </div>
    </section>
  );
}
