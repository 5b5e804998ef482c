import { type Html, html, markupOf } from '../../http/checkout/index.ts';

/** A page without scripts in the look of the start page. `style` adds to it. */
export function startPageOf(title: string, main: Html, style: Html = html``): string {
  return markupOf(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}${style}</style></head>
<body><main>
<p class="brand">${LOGO} Quittance</p>
${main}
</main></body></html>
`);
}

// Helpers

const LOGO = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6e4f"/><path d="m9 17 5 5 9.5-11" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The colours of the console (src/web/styles/tokens.css). */
const STYLE = html`
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --ground: light-dark(#f4f6f5, #0d1210); --surface: light-dark(#fff, #151c19); --sunken: light-dark(#eef1f0, #101613);
  --line: light-dark(#dfe5e2, #28332e); --line-strong: light-dark(#84928b, #62736b); --text: light-dark(#16201c, #e6ece9);
  --soft: light-dark(#53615b, #9dada5); --accent: light-dark(#0b6e4f, #3fbf92); --on-accent: light-dark(#fff, #06150f) }
*, ::before { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text) }
main { max-width: 64rem; margin: 0 auto; padding: 2rem 1.25rem 3rem } h1, h2, p, dl, dd, pre { margin: 0 }
.brand { display: flex; align-items: center; gap: .625rem; font-weight: 650 }
h1 { margin-top: 2.5rem; font-size: clamp(1.5rem, 4vw, 2.125rem); line-height: 1.2; letter-spacing: -.015em }
h2 { font-size: 1.0625rem } .lead { margin-top: .5rem; color: var(--soft) } .soft { color: var(--soft); font-size: .875rem }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; margin: 2rem 0 1rem }
section { display: flex; flex-direction: column; align-items: flex-start; gap: .75rem; min-width: 0; padding: 1.25rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: .75rem }
section > p { color: var(--soft) } .ways form, .ways .button { margin-top: auto }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .5625rem 1rem; border-radius: .5rem;
  border: 1px solid var(--line-strong); background: none; color: var(--text); text-decoration: none; cursor: pointer }
button { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
dl { display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem; font-size: .875rem } dt { color: var(--soft) }
dd { overflow-wrap: anywhere; user-select: all } dd, pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .8125rem }
pre { width: 100%; overflow-x: auto; padding: 1rem; background: var(--sunken); border-radius: .5rem }
a { color: var(--accent) } .more { display: flex; flex-wrap: wrap; align-items: center; gap: 1.25rem; margin-top: 1.5rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;
