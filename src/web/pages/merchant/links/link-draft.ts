import type { NewLinkBody } from '../../../../http/console/merchant/links/schemas.ts';
import { amountError, decimalText } from '../../../ui/values/amount-text.ts';

export type Times = 'once' | 'any' | 'some';

/** The form of a link: the texts of its fields. */
export interface LinkDraft {
  readonly title: string;
  readonly description: string;
  /** A data URL; empty for none. */
  readonly image: string;
  readonly slug: string;
  readonly isFixed: boolean;
  readonly amount: string;
  readonly min: string;
  readonly max: string;
  readonly currency: string;
  readonly cryptos: readonly string[];
  /** Null until it is chosen: once for a fixed price, else any number of times. */
  readonly times: Times | null;
  readonly maxUses: string;
  readonly successUrl: string;
  /** Value of a date and time field, in the browser's time zone. */
  readonly expires: string;
}

export const NEW_DRAFT: LinkDraft = {
  title: '',
  description: '',
  image: '',
  slug: '',
  isFixed: true,
  amount: '',
  min: '',
  max: '',
  currency: 'EUR',
  cryptos: [],
  times: null,
  maxUses: '10',
  successUrl: '',
  expires: '',
};

export function timesOf({ times, isFixed }: LinkDraft): Times {
  return times ?? (isFixed ? 'once' : 'any');
}

/** Whether the amounts can be sent: none has grouped digits or other text in it. */
export function hasAmounts({ isFixed, amount, min, max }: LinkDraft): boolean {
  return (isFixed ? [amount] : [min, max]).every((typed) => amountError(typed) === null);
}

/** The request body. The server validates it. */
export function bodyOf(draft: LinkDraft): Omit<NewLinkBody, 'mode'> {
  const { title, currency, cryptos, maxUses, isFixed, amount, min, max, expires } = draft;
  const times = timesOf(draft);
  return {
    title,
    // One of the choices of its field.
    currency: currency as NewLinkBody['currency'],
    ...(isFixed
      ? { amount: decimalText(amount) }
      : { ...given('min', decimalText(min)), ...given('max', decimalText(max)) }),
    ...(cryptos.length === 0 ? {} : { cryptos }),
    ...(times === 'any' ? {} : { maxUses: times === 'once' ? 1 : Number(maxUses) }),
    ...given('slug', draft.slug.trim()),
    ...given('description', draft.description.trim()),
    ...given('image', draft.image),
    ...given('successUrl', draft.successUrl.trim()),
    ...(expires === '' ? {} : { expiresAt: new Date(expires).getTime() }),
  };
}

// Helpers

function given<Name extends 'slug' | 'description' | 'image' | 'successUrl' | 'min' | 'max'>(
  name: Name,
  value: string,
): { readonly [N in Name]?: string } {
  // A computed property name is typed as any string.
  return value === '' ? {} : ({ [name]: value } as { [N in Name]?: string });
}
