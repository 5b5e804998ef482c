import { useMode } from '../../../routing/router.ts';
import { Badge } from '../../../ui/badge.tsx';
import { bodyOf, hasAmounts, type LinkDraft, timesOf } from './link-draft.ts';
import { priceText } from './link-labels.ts';

interface LinkPreviewProps {
  readonly draft: LinkDraft;
  readonly coins: readonly string[];
}

/** A preview of the page that the link will open. */
export function LinkPreview({ draft, coins }: LinkPreviewProps) {
  const mode = useMode();
  const { title, description, currency, amount, min, max, cryptos, successUrl } = {
    description: null,
    successUrl: null,
    ...bodyOf(draft),
  };
  const price =
    amount === undefined
      ? ({ kind: 'open', min: min ?? null, max: max ?? null } as const)
      : ({ kind: 'fixed', amount } as const);
  const named = cryptos ?? coins;
  const shownTitle = title.trim() === '' ? 'Your title' : title;
  return (
    <aside className="links-preview" aria-label="What customers see">
      <p className="soft">What customers see</p>
      <div className="links-preview-page">
        {mode === 'test' ? <Badge tone="warn">Test payment: no real money</Badge> : null}
        {draft.image === '' ? null : <img className="links-image" src={draft.image} alt="" />}
        <p className="soft">To pay</p>
        <p className="links-preview-price">
          {amount === '' || !hasAmounts(draft) ? `– ${currency}` : priceText(price, currency)}
        </p>
        <p className="wrap">{shownTitle}</p>
        {description === null ? null : <p className="wrap">{description}</p>}
        <p>{coinWords(named)}</p>
        {successUrl === null ? null : <p className="soft">After paying, a button leads back to your page.</p>}
      </div>
      <p className="soft">Once it can no longer be paid</p>
      <div className="links-preview-page">
        <p>{timesOf(draft) === 'once' ? 'Already paid' : 'This payment link is used up'}</p>
        <p className="wrap">{shownTitle}</p>
      </div>
    </aside>
  );
}

// Helpers

const MAX_NAMED = 4;

function coinWords(coins: readonly string[]): string {
  if (coins.length === 0) return 'No coins are available yet.';
  const shown = coins.slice(0, MAX_NAMED).join(', ');
  return coins.length > MAX_NAMED ? `with ${shown} and ${coins.length - MAX_NAMED} others` : `with ${shown}`;
}
