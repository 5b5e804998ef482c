import type { FastifyRequest } from 'fastify';
import { chooseLanguage } from './choose-language.ts';
import { LOCALES, type Locale } from './locale.ts';

/** The language a request is answered in: the one its address names, or else the one the browser prefers. */
export function localeOf({ query, headers }: FastifyRequest): Locale {
  const { lang } = query as { lang?: unknown };
  return LOCALES[chooseLanguage({ lang, acceptLanguage: headers['accept-language'] })];
}

/** What an address needs to be answered in the language of this request: nothing where the browser asks for it anyway. */
export function langOf(request: FastifyRequest): string {
  const { language } = localeOf(request);
  const acceptLanguage = request.headers['accept-language'];
  return language === chooseLanguage({ lang: undefined, acceptLanguage }) ? '' : `?lang=${language}`;
}
