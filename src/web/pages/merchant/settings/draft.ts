import type { CryptoSymbol } from '../../../../../machines/index.ts';
import type {
  SettingsChangeBody,
  SettingsInfo,
  SettingsLimits,
  SettingsValues,
} from '../../../../http/console/merchant/settings/schemas.ts';
import type { NoticeField } from './notice-fields.ts';
import { basisPointsOf, percentText } from './percent.ts';

export interface FieldTexts extends Readonly<Record<NoticeField, boolean>> {
  readonly tolerance: string;
  /** Empty for the default window of each coin. */
  readonly window: string;
  readonly confirmations: string;
  readonly rejects: boolean;
  readonly email: string;
  readonly customerLanguage: SettingsValues['customerLanguage'];
  /** Id of the saved image, or a new one as a data URL; empty for none. */
  readonly logo: string;
  /** Empty for the default. */
  readonly colour: string;
  /** Empty for none. */
  readonly support: string;
  /** Empty for none. */
  readonly recommended: CryptoSymbol | '';
}

/** What the user has typed, with the saved value at that time. */
export type Draft = {
  readonly [Field in keyof FieldTexts]?: { readonly value: FieldTexts[Field]; readonly from: FieldTexts[Field] };
};

export function textsOf(values: SettingsValues): FieldTexts {
  return {
    tolerance: percentText(values.toleranceBasisPoints),
    window: values.windowMinutes === null ? '' : String(values.windowMinutes),
    confirmations: String(values.minConfirmations),
    rejects: values.refuseWhenNetworkLags,
    email: values.contactEmail,
    customerLanguage: values.customerLanguage,
    logo: values.logo ?? '',
    colour: values.brandColour ?? '',
    support: values.supportContact ?? '',
    recommended: values.recommendedCrypto ?? '',
    ...ofNotices((field) => values[field]),
  };
}

/** The texts of the fields: typed, otherwise saved. */
export function shownTexts(draft: Draft, saved: FieldTexts): FieldTexts {
  return {
    tolerance: draft.tolerance?.value ?? saved.tolerance,
    window: draft.window?.value ?? saved.window,
    confirmations: draft.confirmations?.value ?? saved.confirmations,
    rejects: draft.rejects?.value ?? saved.rejects,
    email: draft.email?.value ?? saved.email,
    customerLanguage: draft.customerLanguage?.value ?? saved.customerLanguage,
    logo: draft.logo?.value ?? saved.logo,
    colour: draft.colour?.value ?? saved.colour,
    support: draft.support?.value ?? saved.support,
    recommended: draft.recommended?.value ?? saved.recommended,
    ...ofNotices((field) => draft[field]?.value ?? saved[field]),
  };
}

/** Whether another user has saved a different value since this field was edited. */
export function hasMoved(draft: Draft, saved: FieldTexts, field: keyof FieldTexts): boolean {
  const begun = draft[field];
  return begun !== undefined && begun.from !== saved[field];
}

export type Problems = { readonly [Field in keyof FieldTexts]?: string };

export function problemsOf(texts: FieldTexts, limits: SettingsLimits): Problems {
  const tolerance = basisPointsOf(texts.tolerance);
  const isTolerable = tolerance !== null && tolerance <= limits.maxToleranceBasisPoints;
  const { minWindowMinutes: shortest, maxWindowMinutes: longest, maxMinConfirmations: most } = limits;
  return {
    ...(isTolerable
      ? {}
      : { tolerance: `Enter a percentage from 0 to ${percentText(limits.maxToleranceBasisPoints)}, like 0.5.` }),
    ...(texts.window === '' || isWhole(texts.window, shortest, longest)
      ? {}
      : { window: `Enter whole minutes from ${shortest} to ${longest.toLocaleString('en')}.` }),
    ...(isWhole(texts.confirmations, 1, most)
      ? {}
      : { confirmations: `Enter a whole number from 1 to ${most.toLocaleString('en')}.` }),
    ...(/^\S+@\S+$/.test(texts.email.trim()) ? {} : { email: 'Enter an email address like name@shop.example.' }),
    ...(texts.colour.trim() === '' || isColour(texts.colour) ? {} : { colour: 'Enter a hex colour, like #0b6e4f.' }),
    ...(/^(|https:\/\/\S+|[^\s:/]+@\S+)$/.test(texts.support.trim())
      ? {}
      : { support: 'Enter an email address like help@shop.example, or a URL that begins with https://.' }),
  };
}

/** The changed values, with their previous values. Null when nothing changed. */
export function changeOf(texts: FieldTexts, { values }: Pick<SettingsInfo, 'values'>): SettingsChangeBody | null {
  const edited: SettingsValues = {
    toleranceBasisPoints: basisPointsOf(texts.tolerance) ?? values.toleranceBasisPoints,
    windowMinutes: texts.window === '' ? null : Number(texts.window),
    minConfirmations: Number(texts.confirmations),
    refuseWhenNetworkLags: texts.rejects,
    contactEmail: texts.email.trim(),
    customerLanguage: texts.customerLanguage,
    logo: texts.logo === '' ? null : texts.logo,
    brandColour: texts.colour.trim().toLowerCase() || null,
    supportContact: texts.support.trim() || null,
    recommendedCrypto: texts.recommended === '' ? null : texts.recommended,
    ...ofNotices((field) => texts[field]),
  };
  const names = (Object.keys(edited) as (keyof SettingsValues)[]).filter((name) => edited[name] !== values[name]);
  if (names.length === 0) return null;
  const those = (from: SettingsValues) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { changes: those(edited), seen: those(values) };
}

/** Whether a text is a colour as `#rrggbb`. */
export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text.trim());
}

// Helpers

function ofNotices(valueOf: (field: NoticeField) => boolean): Record<NoticeField, boolean> {
  return {
    mailFirstPayment: valueOf('mailFirstPayment'),
    mailLatePayment: valueOf('mailLatePayment'),
    mailNeedsAttention: valueOf('mailNeedsAttention'),
    mailUnassignedCoins: valueOf('mailUnassignedCoins'),
    mailFailingWebhook: valueOf('mailFailingWebhook'),
    mailDailySummary: valueOf('mailDailySummary'),
    mailCustomerReceipt: valueOf('mailCustomerReceipt'),
    mailCustomerLate: valueOf('mailCustomerLate'),
  };
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}
