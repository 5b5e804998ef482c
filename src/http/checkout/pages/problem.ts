import { html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';
import type { Words } from '../languages/words.ts';
import { type PageParts, page } from './layout.ts';
import { SIGNS } from './parts.ts';

export interface Problem {
  readonly words: Words;
  /** Message for developers, in English as in the API; null for none. */
  readonly message: string | null;
  readonly root: PageParts['root'];
  /** Seconds until the page reloads; null for never. */
  readonly retrySeconds: number | null;
  /** Target of "Back to the payment"; null when there is none. */
  readonly backTo: string | null;
}

/** An error page: what happened and what to do, without internal details. */
export function problemPage({ words, message, root, retrySeconds, backTo }: Problem, locale: Locale): string {
  const { heading, sentences } = words;
  return page({
    locale,
    // The response to a form has no URL that a link could lead to.
    offersLanguages: root === '../',
    title: heading,
    root,
    refresh: retrySeconds === null ? null : { seconds: retrySeconds, when: 'always' },
    isTest: false,
    storeName: null,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card late"><div class="status">${SIGNS.alert}<h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${message === null ? null : html`<p lang="en">${message}.</p>`}</div></section>
${backTo === null ? null : html`<p class="back"><a class="button" id="back" href="${backTo}">${locale.texts.problems.backToPayment}</a></p>`}
</main>`,
  });
}
