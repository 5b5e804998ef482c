import type { LinkInfo } from '../../../../http/console/merchant/links/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Card } from '../../../ui/card.tsx';

/**
 * Payments that arrived after a link was used up: the coins were received, so the merchant has to
 * decide. Renders nothing when there are none.
 */
export function ExcessPayments({ links }: { readonly links: readonly LinkInfo[] }) {
  const overpaid = links.filter(({ excessUses }) => excessUses > 0);
  if (overpaid.length === 0) return null;
  return (
    <Card title="Paid more times than allowed">
      <p>
        These customers opened the link before it was used up and paid after other customers. Deliver to them too, or
        refund their coins.
      </p>
      <ul className="lines">
        {overpaid.map(({ slug, title, excessUses, excessPaymentIds }) => (
          <li key={slug} className="line">
            <span className="line-main wrap">{title}</span>
            <span className="links-excess">
              {excessPaymentIds.map((id, index) => (
                <Link key={id} href={hrefOf('payment', { id })}>
                  Payment {index + 1}
                  <span className="unseen"> too many of {title}</span>
                </Link>
              ))}
              {excessUses > excessPaymentIds.length ? (
                <span className="soft">and {(excessUses - excessPaymentIds.length).toLocaleString('en')} more</span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
