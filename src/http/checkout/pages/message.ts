import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';
import { type PageParts, page } from './layout.ts';
import { type PageIcon, status } from './parts.ts';

interface MessageParts extends Pick<PageParts, 'root' | 'offersLanguages'> {
  readonly locale: Locale;
  readonly icon: PageIcon;
  readonly words: ScreenText;
  /** After the sentences, in their box; omitted for nothing. */
  readonly details?: Html | null;
  /** At the end of the card; omitted for nothing. */
  readonly below?: Html | null;
  /** The button that leads away from the page; null for none. */
  readonly back: { readonly href: string; readonly label: string } | null;
  /** Seconds after which the page reloads; null for never. */
  readonly retryAfter: number | null;
}

/** Layout of a page that only says why something is not possible. Complete without script. */
export function messagePage({
  icon,
  words,
  details = null,
  below = null,
  back,
  retryAfter,
  ...parts
}: MessageParts): string {
  return page({
    ...parts,
    title: words.heading,
    refresh: retryAfter === null ? null : { seconds: retryAfter, when: 'always' },
    isTest: false,
    storeName: null,
    announcement: '',
    main: html`<main id="payment" tabindex="-1" data-pace="still">
<section class="card ${icon.card}"><div class="status">${status(icon, words)}${details}</div>${below}</section>
${back === null ? null : html`<p class="back"><a class="button" id="back" href="${back.href}">${back.label}</a></p>`}
</main>`,
  });
}
