import type { CustomerLanguage } from '../../../merchants/index.ts';
import { GERMAN } from './de.ts';
import { type EmailTexts, ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FRENCH } from './fr.ts';
import { ITALIAN } from './it.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';

export type { EmailTexts } from './en.ts';

/** The texts of the email templates in every language that customers can get. */
export const MAIL_TEXTS: { readonly [L in CustomerLanguage]: EmailTexts } = {
  en: ENGLISH,
  pl: POLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
};
