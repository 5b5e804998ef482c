import { html } from '../html.ts';
import { type PageParts, page } from './layout.ts';
import { SIGNS } from './parts.ts';

export interface Problem {
  readonly heading: string;
  readonly sentence: string;
  readonly root: PageParts['root'];
  /** When the page tries again by itself; null for never. */
  readonly retrySeconds: number | null;
  /** Where "Back to the payment" leads; null when there is nothing to go back to. */
  readonly backTo: string | null;
}

/** A page for when there is nothing to show: what happened and what to do, and nothing about the inside. */
export function problemPage({ heading, sentence, root, retrySeconds, backTo }: Problem): string {
  return page({
    title: heading,
    root,
    refresh: retrySeconds === null ? null : { seconds: retrySeconds, when: 'always' },
    isTest: false,
    storeName: null,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card late"><div class="status">${SIGNS.alert}<h1>${heading}</h1><p>${sentence}</p></div></section>
${backTo === null ? null : html`<p class="back"><a class="button" id="back" href="${backTo}">Back to the payment</a></p>`}
</main>`,
  });
}
