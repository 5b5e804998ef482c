import type { FastifyRequest } from 'fastify';
import { chooseLanguage } from './choose-language.ts';
import { LOCALES, type Locale } from './locale.ts';

/** The locale of a response: from the URL, or else from the browser's preference. */
export function localeOf({ query, headers }: FastifyRequest): Locale {
  const { lang } = query as { lang?: unknown };
  return LOCALES[chooseLanguage({ lang, acceptLanguage: headers['accept-language'] })];
}

/**
 * Query string that keeps the language of this request; empty when the browser asks for it anyway.
 */
export function langOf(request: FastifyRequest): string {
  const { language } = localeOf(request);
  const acceptLanguage = request.headers['accept-language'];
  return language === chooseLanguage({ lang: undefined, acceptLanguage }) ? '' : `?lang=${language}`;
}
