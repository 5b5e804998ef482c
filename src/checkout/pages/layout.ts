import { ASSET_PATHS } from '../assets.ts';
import { type Html, html, markupOf } from '../html.ts';

export interface PageParts {
  readonly title: string;
  /** Way from the page's address to the root of this service: `../` from `/transaction/<id>`. */
  readonly root: '../' | '../../';
  /** How often the page loads itself again, always or only without script; null for never. */
  readonly refresh: { readonly seconds: number; readonly when: 'always' | 'without script' } | null;
  readonly isTest: boolean;
  readonly storeName: string | null;
  readonly main: Html;
  readonly announcement: string;
}

/**
 * The frame around every page. Links are relative, so that the pages also work behind a proxy that puts a path
 * in front.
 */
export function page({ title, root, refresh, isTest, storeName, main, announcement }: PageParts): string {
  return markupOf(html`<!doctype html>
<html lang="en">
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
<body>
${isTest ? html`<p class="banner"><strong>Test payment</strong>: no real money</p>` : null}
<div class="page">
${storeName === null ? null : html`<header><p class="store"><bdi>${storeName}</bdi></p></header>`}
${main}
<p class="notice connection" id="connection" role="status" hidden>The connection was lost. Trying again…</p>
<p class="unseen" id="announcement" role="status" aria-live="polite" data-said="${announcement}"></p>
</div>
</body>
</html>
`);
}

// Helpers

function refreshTag(refresh: PageParts['refresh']): Html | null {
  if (refresh === null) return null;
  const tag = html`<meta http-equiv="refresh" content="${refresh.seconds}">`;
  return refresh.when === 'always' ? tag : html`<noscript>${tag}</noscript>`;
}
