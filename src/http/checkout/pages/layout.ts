import { imagePath } from '../../../images/index.ts';
import type { Brand } from '../../../merchants/index.ts';
import { ASSET_PATHS, colourStylePath } from '../assets.ts';
import { type Html, html, markupOf } from '../html.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../languages/choose-language.ts';
import type { Texts } from '../languages/en.ts';
import type { Locale } from '../languages/locales.ts';
import { contactLink } from './parts.ts';

export interface PageParts {
  readonly locale: Locale;
  /**
   * Whether the URL of the page is the same in every language, so that it
   * can offer a language switch.
   */
  readonly offersLanguages?: boolean;
  readonly title: string;
  /** Relative path from the page to the root of this service: `../` from `/transaction/<id>`. */
  readonly root: '../' | '../../';
  /** How often the page reloads, always or only without script; null for never. */
  readonly refresh: { readonly seconds: number; readonly when: 'always' | 'without script' } | null;
  readonly isTest: boolean;
  /** Banner of a test; omitted for a test payment. */
  readonly testBanner?: Texts['banner'];
  readonly storeName: string | null;
  /** The store's brand; omitted where the store is unknown. */
  readonly brand?: Brand;
  readonly main: Html;
  readonly announcement: string;
}

/**
 * Layout of every page. Links are relative, so that the pages also work behind a
 * proxy that adds a path prefix.
 */
export function page(parts: PageParts): string {
  const { locale, title, root, refresh, isTest, testBanner, brand, main, announcement } = parts;
  const { language, texts } = locale;
  return markupOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${root}${ASSET_PATHS.icon}">
<link rel="stylesheet" href="${root}${ASSET_PATHS.style}">
${
  brand?.brandColour
    ? html`<link rel="stylesheet" href="${root}${colourStylePath(brand.brandColour)}">
`
    : null
}<script src="${root}${ASSET_PATHS.script}" defer></script>
${refreshTag(refresh)}
</head>
${refresh?.when === 'always' ? html`<body data-reload-seconds="${refresh.seconds}">` : html`<body>`}
${isTest ? html`<aside><p class="banner">${banner(testBanner ?? texts.banner, locale)}</p></aside>` : null}
<div class="page">
${header(parts, locale)}
<p class="notice connection" id="connection" role="status" hidden>${texts.connectionLost}</p>
${main}
${help(brand, locale)}
<p class="unseen" id="announcement" role="status" aria-live="polite" data-said="${announcement}"></p>
</div>
</body>
</html>
`);
}

// Helpers

function header({ storeName, brand, root, offersLanguages = false }: PageParts, locale: Locale): Html | null {
  if (storeName === null && !offersLanguages) return null;
  const store = storeName === null ? null : html`<p class="store"><bdi>${storeName}</bdi></p>`;
  // The name next to it says the same.
  const logo = brand?.logo ? html`<img class="logo" src="${root}${imagePath(brand.logo)}" alt="">` : null;
  return html`<header>${logo}${store}${offersLanguages ? languageSwitch(locale) : null}</header>`;
}

/**
 * Where customers get help from the store; null when it has named no contact. Hidden by the style
 * where `contactBox` says it.
 */
function help(brand: Brand | undefined, { texts }: Locale): Html | null {
  const contact = brand?.supportContact ?? null;
  if (contact === null) return null;
  return html`<footer class="help">${texts.support} ${contactLink(contact, { id: 'help', subject: null })}</footer>`;
}

function banner({ strong, rest }: Texts['banner'], { formats }: Locale): Html {
  return html`<strong>${strong}</strong>${formats.colon}${rest}`;
}

/**
 * With script, the script reloads the page: a refresh by markup is disruptive
 * for people who read slowly.
 */
function refreshTag(refresh: PageParts['refresh']): Html | null {
  if (refresh === null) return null;
  return html`<noscript><meta http-equiv="refresh" content="${refresh.seconds}"></noscript>`;
}

/** Language menu, collapsed under the current language. Links only: no script, no cookie. */
function languageSwitch({ language, texts, formats }: Locale): Html {
  const items = LANGUAGES.map((other) => {
    const name = LANGUAGE_NAMES[other];
    if (other === language)
      return html`<li><a aria-current="true" lang="${other}" href="?lang=${other}">${name}</a></li>`;
    return html`<li><a lang="${other}" hreflang="${other}" rel="nofollow" href="?lang=${other}">${name}</a></li>`;
  });
  return html`<details class="languages" id="languages"><summary>${GLOBE}<span class="unseen">${texts.language}${formats.colon}</span>${LANGUAGE_NAMES[language]}</summary>
<ul>${items}</ul></details>`;
}

const GLOBE = html`<svg class="globe" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"/></svg>`;
