import { html } from '../html.ts';
import type { Locale } from '../languages/locale.ts';
import type { Words } from '../languages/words.ts';
import { type PageParts, page } from './layout.ts';
import { SIGNS } from './parts.ts';

export interface Problem {
  readonly words: Words;
  /** What a developer is told, in the English of the interface; null when there is nothing to tell. */
  readonly message: string | null;
  readonly root: PageParts['root'];
  /** When the page tries again by itself; null for never. */
  readonly retrySeconds: number | null;
  /** Where "Back to the payment" leads; null when there is nothing to go back to. */
  readonly backTo: string | null;
}

/** A page for when there is nothing to show: what happened and what to do, and nothing about the inside. */
export function problemPage({ words, message, root, retrySeconds, backTo }: Problem, locale: Locale): string {
  const { heading, sentences } = words;
  return page({
    locale,
    // The answer to a form has no address of its own that a link could lead to.
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
