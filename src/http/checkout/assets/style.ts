import { DARK, LIGHT } from './brand-style.ts';

/** Style sheet of the page: light and dark, from 320 px upwards, and for print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: ${LIGHT.ground}; --card: ${LIGHT.card}; --text: #17211d; --soft: #56635d; --line: #dde3e0; --field: ${LIGHT.field};
  --accent: #0b6e4f; --on-accent: #fff; --good: #0b6e4f; --warn: #8a5300; --bad: #a6261d; --on-bad: #fff;
  --warn-ground: #fff4dd; --button: var(--accent); --on-button: var(--on-accent); --button-edge: transparent;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: ${DARK.ground}; --card: ${DARK.card}; --text: #e8eeeb; --soft: #a3b1aa; --line: #2c3832; --field: ${DARK.field};
    --accent: #35b98a; --on-accent: #06150f; --good: #4fcf9f; --warn: #f0b957; --bad: #ff8f85; --on-bad: #06150f;
    --warn-ground: #33290f;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; }
p, h1, h2, dl, dd, ol { margin: 0; padding: 0; }
.page { max-width: 30rem; margin: 0 auto; padding: 1rem .75rem 3rem; }
.banner { padding: .5rem 1rem; text-align: center; background: var(--warn-ground); color: var(--warn); border-bottom: 1px solid currentColor; }
header { padding: .25rem .25rem .75rem; display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; }
.logo { flex: none; max-width: 8rem; height: 2.5rem; object-fit: contain; padding: .125rem; background: #fff; border-radius: 8px; }
.store { font-weight: 600; overflow-wrap: anywhere; min-width: 0; }
.languages { position: relative; flex: none; margin: 0 0 0 auto; padding: 0; border: 0; font-size: .875rem; }
.languages summary { display: flex; align-items: center; gap: .375rem; padding: 0 .625rem; font-weight: 400; color: var(--soft); list-style: none; border-radius: 10px; }
.languages summary::-webkit-details-marker { display: none; }
.languages summary:hover, .languages[open] summary { background: var(--card); color: var(--text); }
.globe { width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.5; }
.languages ul { position: absolute; z-index: 1; inset-inline-end: 0; top: 100%; margin: .25rem 0 0; padding: .25rem; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 8px 24px rgb(0 0 0 / .16); }
.languages a { display: block; min-height: 2.75rem; padding: .625rem 1.25rem .625rem .75rem; color: var(--text); text-decoration: none; border-radius: 8px; white-space: nowrap; }
.languages a:hover { background: var(--field); }
.languages [aria-current] { font-weight: 650; color: var(--accent); }
main:focus { outline: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 8px 24px rgb(0 0 0 / .05); }
.status { text-align: center; display: grid; gap: .375rem; justify-items: center; }
.status p { color: var(--soft); max-width: 25rem; }
.bought, .until { margin-top: .75rem; overflow-wrap: anywhere; }
p.bought, .until { text-align: center; }
p.bought { font-weight: 600; }
.bought ul { margin: 0; padding: 0; list-style: none; }
.bought li { display: flex; justify-content: space-between; gap: 1rem; }
.bought li > :last-child { flex: none; }
.sign { width: 2.25rem; height: 2.25rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; color: var(--soft); }
.sign .solid { fill: currentColor; stroke: none; }
.seen .sign, .completed .sign { color: var(--good); }
.partial .sign, .checking .sign, .late .sign, .reviewing .sign { color: var(--warn); }
.failed .sign, .lost .sign, .expired .sign { color: var(--bad); }
.completed .sign { width: 3.5rem; height: 3.5rem; }
h1 { font-size: 1.375rem; line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: .9375rem; font-weight: 600; margin: 1.25rem 0 .5rem; }
.label { font-size: .8125rem; color: var(--soft); }
.timer { margin: 1rem auto 0; width: fit-content; padding: .25rem .875rem; border-radius: 99px; background: var(--warn-ground); color: var(--warn); font-variant-numeric: tabular-nums; }
.notice { margin-top: 1rem; padding: .625rem .875rem; border-radius: 10px; background: var(--warn-ground); color: var(--warn); }
.connection { position: sticky; top: .5rem; z-index: 2; margin: 0 0 .75rem; border: 1px solid; }
.amount, .address, .contact, .field input, .choices label { background: var(--field); border: 1px solid var(--line); border-radius: 12px; }
.amount, .address, .id-line { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 .75rem; }
.amount, .address, .contact { margin-top: 1rem; padding: .625rem .875rem; }
.contact h2 { margin: 0; }
.contact .link { padding-inline: 0; font-weight: 600; overflow-wrap: anywhere; }
.page:has(.contact) .help { display: none; }
.amount .label, .amount .number, .address .label, .address .text { grid-column: 1; }
.amount .copy, .address .copy { grid-column: 2; grid-row: 1 / span 2; }
.number { grid-column: 1; font-size: 1.25rem; line-height: 1.3; font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.unit { font-size: .75em; white-space: nowrap; }
.digits, .address .text, .id { user-select: all; -webkit-user-select: all; }
.address .text, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .9375rem; overflow-wrap: anywhere; line-height: 1.45; }
.js [data-copy] { cursor: copy; }
.js .digits, .js .address .text { user-select: text; -webkit-user-select: text; }
.copy { display: none; min-width: 5.75rem; min-height: 2.75rem; padding: 0 .5rem; font: inherit; font-size: .875rem; font-weight: 600; color: var(--accent); background: var(--card); border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.js .copy { display: inline-block; }
.copy:hover, .receipt .line button:hover { border-color: var(--accent); }
.copy.done { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.codes { display: grid; grid-template-columns: 1fr 1fr; gap: .875rem 0; margin-top: 1rem; text-align: center; }
.codes input { position: absolute; opacity: 0; pointer-events: none; }
.codes label { padding: .5rem .25rem; font-size: .875rem; color: var(--soft); border: 1px solid var(--line); cursor: pointer; min-height: 2.75rem; display: grid; place-items: center; line-height: 1.2; }
.codes label:first-of-type { border-radius: 10px 0 0 10px; }
.codes label:last-of-type { border-radius: 0 10px 10px 0; border-left: 0; }
.codes input:checked + label { color: var(--text); font-weight: 600; background: var(--field); box-shadow: inset 0 -2px var(--accent); }
.codes .tile, .codes .button { grid-column: 1 / -1; }
.tile { margin: 0 auto; width: min(100%, 17rem); }
.tile p { font-size: .875rem; color: var(--soft); margin-top: .5rem; }
.code { display: block; width: 100%; height: auto; border-radius: 12px; border: 1px solid var(--line); }
.tile.bare, #code-address:checked ~ .tile.full { display: none; }
#code-address:checked ~ .tile.bare { display: block; }
.button { display: inline-block; padding: .75rem 1.5rem; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-button); background: var(--button); border-radius: 12px; box-shadow: inset 0 0 0 1px var(--button-edge); }
.codes .button { order: -1; margin: 0 auto; width: min(100%, 17rem); }
.button:hover { filter: brightness(1.08); }
.network { margin-top: 1rem; padding: .625rem .875rem; border-left: 3px solid var(--warn); background: var(--warn-ground); border-radius: 0 10px 10px 0; }
.hint { margin-top: .75rem; font-size: .9375rem; color: var(--soft); overflow-wrap: anywhere; }
.progress, .back { margin-top: 1.25rem; text-align: center; }
progress { appearance: none; -webkit-appearance: none; width: 100%; height: .625rem; margin-top: .5rem; border: 0; border-radius: 99px; background: var(--line); overflow: hidden; accent-color: var(--accent); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 99px; transition: width .4s; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 99px; }
details, .details { margin-top: 1.25rem; border-top: 1px solid var(--line); padding-top: .75rem; }
summary { cursor: pointer; font-weight: 600; min-height: 2.75rem; padding: .5rem 0; }
.rows div, .sum { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.rows div { padding: .3125rem 0; }
.rows dt { color: var(--soft); }
.rows dd { text-align: right; margin-left: auto; overflow-wrap: anywhere; min-width: 0; font-variant-numeric: tabular-nums; }
.rows .id, .id-line .id { font-size: .8125rem; }
.payments { list-style: none; }
.payments li { padding: .625rem 0; border-top: 1px solid var(--line); }
.sum span, .when, .simulate p { color: var(--soft); font-size: .9375rem; }
.gone .sum b { text-decoration: line-through; font-weight: 400; }
.id-line { margin-top: .25rem; }
.explorer .link { padding: .625rem 0; font-size: .9375rem; }
.back .button { width: 100%; }
.link { color: var(--accent); display: inline-block; padding: .625rem; }
button.link { min-height: 2.75rem; font: inherit; text-decoration: underline; background: none; border: 0; cursor: pointer; }
.print { display: none; text-align: center; margin-top: .5rem; }
.receipt, .help { margin-top: 1.25rem; padding: 0 1rem; text-align: center; overflow-wrap: anywhere; }
.receipt .field { margin: 0; text-align: start; }
.receipt .line { display: flex; flex-wrap: wrap; gap: .5rem; }
.receipt .line input { flex: 1 1 12rem; min-width: 0; background: var(--card); }
.receipt .line button { flex: none; min-height: 3rem; padding: 0 1rem; font: inherit; font-weight: 600; color: var(--accent); background: var(--card); border: 1px solid var(--line); border-radius: 12px; cursor: pointer; }
.field .wrong { color: var(--bad); }
.scripted, .js .unscripted { display: none; }
.js .print, .js .scripted { display: block; }
.help { font-size: .9375rem; color: var(--soft); }
.help .link { padding: .625rem .25rem; }
.simulate { margin-top: 1.5rem; padding: .25rem 1rem 1rem; border: 1px dashed var(--warn); border-radius: 16px; }
.simulate h2 { margin-top: .75rem; }
.simulate p { margin-bottom: .75rem; }
.simulate div { display: flex; flex-wrap: wrap; gap: .5rem; }
.simulate button { min-height: 2.75rem; padding: 0 .875rem; font: inherit; font-size: .9375rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.simulate button:hover { border-color: var(--warn); }
button.button { width: 100%; padding-inline: .75rem; margin-top: 1.25rem; border: 0; font: inherit; font-weight: 600; cursor: pointer; }
.second { color: inherit; background: none; --button-edge: var(--line); }
.grave { color: var(--on-bad); background: var(--bad); }
.number small { display: inline-block; font-size: 1rem; font-weight: 400; color: var(--soft); }
.picture { display: block; width: 100%; aspect-ratio: 3 / 2; margin-bottom: 1rem; object-fit: contain; border-radius: 12px; }
.terms { margin-top: .75rem; }
.terms div { border-top: 1px solid var(--line); padding: .5rem 0; }
.terms div:first-child { border-top: 0; }
.terms dd { text-align: start; }
.points { margin: 0; padding-left: 1.25rem; display: grid; gap: .375rem; }
.field { margin: 1.25rem 0 0; display: grid; gap: .375rem; }
.field input { min-height: 3rem; padding: .375rem .75rem; font: inherit; color: inherit; }
.choices { margin: 1.25rem 0 0; padding: 0; border: 0; min-width: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .5rem; }
.choices legend { padding: 0; margin-bottom: .5rem; font-weight: 600; }
.more { grid-column: 1 / -1; margin: 0; }
.choices label { display: flex; align-items: center; gap: .75rem; min-height: 3.25rem; padding: .375rem .75rem; cursor: pointer; }
.choices label:hover, .choices label:has(:checked) { border-color: var(--accent); }
.choices label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choices input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); outline: none; }
.field label, .choices b { font-weight: 600; }
.choices b, .choices small { display: block; line-height: 1.3; }
.field small, .choices small { color: var(--soft); }
.choices .tag { color: var(--accent); }
:focus-visible, .codes input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 23.99rem) {
  .amount .copy, .address .copy { grid-row: 1; }
  .amount .number, .address .text { grid-column: 1 / -1; margin-top: .375rem; }
}
@media (min-width: 24rem) { .number { font-size: 1.375rem; } }
@media (min-width: 40rem) {
  .page { padding-top: 2rem; }
  .card { padding: 2rem; }
  .codes .button { order: 0; }
  .number { font-size: 1.75rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@page { margin: 18mm; }
@media print {
  :root { --ground: #fff; --card: #fff; --text: #000; --soft: #333; --line: #bbb; --field: #fff; --accent: #000; --good: #000; --warn: #000; --bad: #000; --warn-ground: #fff; }
  .page { max-width: none; padding: 0; }
  .card { border: 0; box-shadow: none; padding: 0; }
  header { border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
  .banner { border: 1px solid; }
  .simulate, .receipt, .back, .explorer, .js .print, .copy, .js .copy, .codes, .connection, .languages { display: none; }
  .payments li, .rows div { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
