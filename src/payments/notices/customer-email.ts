import { imageAddress } from '../../images/index.ts';
import { type Block, type EmailContent, paragraph } from '../../mail/index.ts';
import type { Brand, CustomerLanguage } from '../../merchants/index.ts';
import { paymentUrl } from '../view/merchant-view.ts';
import { CUSTOMER_TEXTS } from './customer-texts.ts';
import type { NoticeInput } from './email-templates.ts';

/**
 * `confirmedLate`: the coins arrived in time, and were confirmed after the payment had failed.
 * `mixedLate`: some of them did, the others arrived late.
 */
export type CustomerEmail = 'receipt' | 'late' | 'confirmedLate' | 'mixedLate';

/** Who sends the email, and how. */
export interface CustomerEmailSender {
  readonly shop: string;
  readonly brand: Brand;
  readonly language: CustomerLanguage;
  readonly publicUrl: string;
}

/** `arrived` is null where it is not to be said. */
export type CustomerEmailInput = Omit<NoticeInput, 'arrived'> & { readonly arrived: string | null };

/** To the customer of a payment, in the language of the shop's customers. */
export function customerEmailContent(
  kind: CustomerEmail,
  { transactionId, orderId, price, arrived }: CustomerEmailInput,
  { shop, brand: { logo, brandColour, supportContact }, language: code, publicUrl }: CustomerEmailSender,
): EmailContent {
  const { greeting, names, why, ...texts } = CUSTOMER_TEXTS[code];
  const listed: Block = {
    kind: 'details',
    details: [
      [names.shop, shop],
      ...(orderId === null ? [] : [[names.order, orderId] as const]),
      [names.price, price],
      ...(arrived === null ? [] : [[names.arrived, arrived] as const]),
      [names.payment, transactionId],
      ...(supportContact === null ? [] : [[names.support, supportContact] as const]),
    ],
  };
  return {
    to: null,
    language: { code, greet: () => greeting },
    subject: texts[kind].subject(shop),
    blocks: [
      paragraph(texts[kind].opening),
      listed,
      { kind: 'link', text: texts[kind].open, url: `${paymentUrl(publicUrl, transactionId)}?lang=${code}` },
    ],
    footer: why(shop),
    look: { name: shop, logoUrl: imageAddress(publicUrl, logo), colour: brandColour },
  };
}
