import { type Html, html } from '../html.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../languages/language.ts';
import type { Locale } from '../languages/locale.ts';

/**
 * Language menu, collapsed under the current language. Made of links only: no script, no cookie.
 */
export function languageSwitch({ language, texts }: Locale): Html {
  const items = LANGUAGES.map((other) => {
    const name = LANGUAGE_NAMES[other];
    if (other === language)
      return html`<li><a aria-current="true" lang="${other}" href="?lang=${other}">${name}</a></li>`;
    return html`<li><a lang="${other}" hreflang="${other}" rel="nofollow" href="?lang=${other}">${name}</a></li>`;
  });
  return html`<details class="languages" id="languages"><summary>${GLOBE}<span class="unseen">${texts.language}: </span>${LANGUAGE_NAMES[language]}</summary>
<ul>${items}</ul></details>`;
}

// Helpers

const GLOBE = html`<svg class="globe" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"/></svg>`;
