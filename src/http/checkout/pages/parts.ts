import type { UnixMs } from '../../../../machines/index.ts';
import { supportLink } from '../../../merchants/index.ts';
import { type Html, html } from '../html.ts';
import type { Texts } from '../languages/en.ts';
import type { Rounding } from '../languages/formats.ts';
import type { Locale } from '../languages/locales.ts';
import type { ScreenText } from '../languages/screen-text.ts';

/** A time in UTC; the script rewrites it in local time. */
export function timestamp(at: UnixMs, { formats }: Locale): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${formats.timestamp(at)}</time>`;
}

/** A short amount of coins; the exact one is its tooltip. */
export function coins(amount: string, rounding: Rounding, { formats }: Locale): Html {
  const [short, exact] = [formats.coins(amount, rounding), formats.exactCoins(amount)];
  return short === exact ? html`${short}` : html`<span title="${exact}">${short}</span>`;
}

export interface CopyParts {
  readonly id: string;
  readonly text: string;
  readonly what: Exclude<keyof Texts['copy'], 'button' | 'done'>;
}

/** A link to the support contact of the shop; the email that it opens has `subject`. */
export function contactLink(
  contact: string,
  { id, subject }: { readonly id: string; readonly subject: string | null },
): Html {
  const shown = contact.replace(/^https:\/\//, '').replace(/\/$/, '');
  return html`<a class="link" id="${id}" href="${supportLink(contact, subject)}" rel="noopener noreferrer">${shown}</a>`;
}

/** A copy button; hidden until the script runs, because it does nothing without it. */
export function copyButton({ id, text, what }: CopyParts, { texts: { copy } }: Locale): Html {
  return html`<button type="button" class="copy" id="${id}" data-copy="${text}" data-done="${copy.done}" aria-label="${copy[what]}">${copy.button}</button>`;
}

export function row(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Icons; each is next to text that says the same. */
export const ICONS = {
  clock: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/></svg>`,
  tick: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.7 2.7L16 9.5"/></svg>`,
  progress: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9" stroke-dasharray="2 3.65"/><path d="M8 12h8m-3-3 3 3-3 3"/></svg>`,
  cross: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="m9 9 6 6m0-6-6 6"/></svg>`,
  look: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="11" cy="11" r="6"/><path d="m15.5 15.5 4.5 4.5"/></svg>`,
  half: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path class="solid" d="M12 3a9 9 0 0 1 0 18z"/></svg>`,
  alert: html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4 2.5 20h19z"/><path d="M12 10v5m0 2v.5"/></svg>`,
} as const;

/** Icon of a page, with the class that sets its colour. */
export interface PageIcon {
  readonly card: string;
  readonly drawing: Html;
}

export const PAGE_ICONS = {
  ask: { card: 'waiting', drawing: ICONS.clock },
  done: { card: 'completed', drawing: ICONS.tick },
  inProgress: { card: 'seen', drawing: ICONS.progress },
  late: { card: 'late', drawing: ICONS.clock },
  over: { card: 'waiting', drawing: ICONS.cross },
  alert: { card: 'late', drawing: ICONS.alert },
} as const satisfies Readonly<Record<string, PageIcon>>;

export function status({ drawing }: PageIcon, { heading, sentences }: ScreenText): Html {
  return html`${drawing}<h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}`;
}
