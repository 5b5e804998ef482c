import { ASSET_PATHS } from '../assets.ts';
import { type Html, html, markupOf } from '../html.ts';
import type { Locale } from '../languages/locale.ts';
import { languageSwitch } from './language-switch.ts';

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
  /** Banner of a test; left out for that of a test payment. */
  readonly testBanner?: Html;
  readonly storeName: string | null;
  readonly main: Html;
  readonly announcement: string;
}

/**
 * Layout of every page. Links are relative, so that the pages also work behind a
 * proxy that adds a path prefix.
 */
export function page(parts: PageParts): string {
  const { locale, title, root, refresh, isTest, testBanner, main, announcement } = parts;
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
<script src="${root}${ASSET_PATHS.script}" defer></script>
${refreshTag(refresh)}
</head>
${refresh?.when === 'always' ? html`<body data-reload-seconds="${refresh.seconds}">` : html`<body>`}
${isTest ? html`<aside><p class="banner">${testBanner ?? testPayment(locale)}</p></aside>` : null}
<div class="page">
${header(parts, locale)}
${main}
<p class="notice connection" id="connection" role="status" hidden>${texts.connectionLost}</p>
<p class="unseen" id="announcement" role="status" aria-live="polite" data-said="${announcement}"></p>
</div>
</body>
</html>
`);
}

// Helpers

function header({ storeName, offersLanguages = false }: PageParts, locale: Locale): Html | null {
  if (storeName === null && !offersLanguages) return null;
  const store = storeName === null ? null : html`<p class="store"><bdi>${storeName}</bdi></p>`;
  return html`<header>${store}${offersLanguages ? languageSwitch(locale) : null}</header>`;
}

function testPayment({ texts: { banner } }: Locale): Html {
  return html`<strong>${banner.strong}</strong>: ${banner.rest}`;
}

/**
 * With script, the script reloads the page: a refresh by markup is disruptive
 * for people who read slowly.
 */
function refreshTag(refresh: PageParts['refresh']): Html | null {
  if (refresh === null) return null;
  return html`<noscript><meta http-equiv="refresh" content="${refresh.seconds}"></noscript>`;
}
