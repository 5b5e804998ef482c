import { centsText, type PaymentLink } from '../../links/index.ts';
import { timeText } from '../print.ts';

/** A link as JSON. Amounts are decimal strings in its currency. */
export function linkToJson({ price, ...link }: PaymentLink) {
  const isFixed = price.kind === 'fixed';
  return {
    slug: link.slug,
    mode: link.mode,
    title: link.title,
    description: link.description,
    amount: isFixed ? centsText(price.cents) : null,
    min_amount: isFixed ? null : textOrNull(price.minCents),
    max_amount: isFixed ? null : textOrNull(price.maxCents),
    currency: link.currency,
    cryptos: link.cryptos,
    success_url: link.successUrl,
    expires_at: timeText(link.expiresAt),
    max_uses: link.maxUses,
    uses: link.uses,
    excess_uses: link.excessUses,
    created_at: timeText(link.createdAt),
    closed_at: timeText(link.closedAt),
  };
}

// Helpers

function textOrNull(cents: bigint | null): string | null {
  return cents === null ? null : centsText(cents);
}
