import type { Mode } from '../../contract/desk.ts';
import type { LinkInfo, LinkPage, LinkPrice } from '../../contract/links.ts';
import type { Member } from '../member.ts';

/** The terms of a new link; validated by the use case. */
export interface WantedLink {
  readonly mode: Mode;
  readonly slug: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly price: LinkPrice;
  readonly currency: 'USD' | 'PLN' | 'EUR' | 'GBP';
  readonly cryptos: readonly string[];
  readonly successUrl: string | null;
  readonly expiresAt: number | null;
  readonly maxUses: number | null;
}

/** The payment links of the member's merchant. */
export interface LinksDesk {
  /** `cursor` comes from the previous page. Throws `INVALID_REQUEST` for an invalid one. */
  list(member: Member, page: { readonly mode: Mode; readonly cursor: string | null }): Promise<LinkPage>;
  /** Throws `INVALID_LINK`, `INVALID_AMOUNT` and `LINK_EXISTS`, each with the remedy. */
  create(member: Member, wanted: WantedLink): Promise<LinkInfo>;
  /** Closing it again changes nothing. Throws `LINK_NOT_FOUND`, also for another merchant's. */
  close(member: Member, link: { readonly mode: Mode; readonly slug: string }): Promise<LinkInfo>;
}
