import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECURITY_HEADERS } from './headers.ts';
import { chooseLanguage } from './languages/choose-language.ts';
import { LOCALES, type Locale } from './languages/locales.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Sets up a scope of pages for customers: security headers, and forms of up to `formMaxBytes`. */
export function setUpPages(app: FastifyInstance, { formMaxBytes }: { readonly formMaxBytes: number }): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS);
  });
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: formMaxBytes }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
}

/** The fields of the form that was sent; none for any other body. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

export function sendPage(reply: FastifyReply, page: string, request: FastifyRequest): FastifyReply {
  const headers = { 'content-language': localeOf(request).language, vary: 'accept-language' };
  return reply.type('text/html; charset=utf-8').headers(headers).send(page);
}

/** The locale of a response: from the URL, or else from the browser's preference. */
export function localeOf({ query, headers }: FastifyRequest): Locale {
  const { lang } = query as { lang?: unknown };
  return LOCALES[chooseLanguage({ lang, acceptLanguage: headers['accept-language'] })];
}

/**
 * Query string that keeps the language of this request; empty when the browser requests it anyway.
 */
export function langOf(request: FastifyRequest): string {
  const { language } = localeOf(request);
  const acceptLanguage = request.headers['accept-language'];
  return language === chooseLanguage({ lang: undefined, acceptLanguage }) ? '' : `?lang=${language}`;
}
