import { assertNever } from '../errors.ts';

/** What a mail says, without any markup. Every text is plain and may hold anything a merchant or a server has written. */
export interface Letter {
  /** Who is spoken to, as a name at the top; null when no name is known. */
  readonly to: string | null;
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** Why the reader gets this, in small print. */
  readonly footer: string | Footer;
  /** What all of it is written in; English when left out. */
  readonly language?: LetterLanguage;
}

export interface LetterLanguage {
  /** BCP 47, like `en`. */
  readonly code: string;
  /** The line at the top. */
  greet(to: string | null): string;
}

/** Small print with something to do about it, like ending all such mails. */
export interface Footer {
  readonly text: string;
  readonly link: Link;
}

export interface Link {
  /** What happens there, as one would write on a button. */
  readonly text: string;
  /** Absolute, of http or https. */
  readonly url: string;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Names with their values, one per line. */
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  /** What the reader is asked to do, as a button. */
  | ({ readonly kind: 'link' } & Link);

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The same letter as plain text and as HTML, for the reader's program to choose from. Styles are inline and few: mail programs
 * drop the rest. Throws `TypeError` for a link that does not lead to a web page: addresses are ours, so that is a bug.
 */
export function renderMail({ to, subject, blocks, footer, language = ENGLISH }: Letter): RenderedMail {
  const greeting: Block = { kind: 'paragraph', text: language.greet(to) };
  const all = [greeting, ...blocks];
  return {
    subject: oneLine(subject),
    text: `${[...all.map(blockText), `--\n${footerText(footer)}`].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="${escapeHtml(language.code)}">`,
      `<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:36em">',
      ...all.map(blockHtml),
      `<p style="margin-top:32px;font-size:13px;color:#666">${footerHtml(footer)}</p>`,
      '</body>',
      '</html>',
      '',
    ].join('\n'),
  };
}

// Helpers

const ENGLISH: LetterLanguage = { code: 'en', greet: (to) => (to === null ? 'Hello,' : `Hello ${to},`) };

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return block.facts.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n');
    case 'link':
      return linkText(block);
    default:
      return assertNever(block, 'block of a letter');
  }
}

/** The address on a line of its own: mail programs make a link of it, and nothing that follows can become part of it. */
function linkText({ text, url }: Link): string {
  return `${oneLine(text)}:\n${webAddress(url)}`;
}

function footerText(footer: Letter['footer']): string {
  return typeof footer === 'string' ? footer : `${footer.text}\n${linkText(footer.link)}`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'facts':
      return factsHtml(block.facts);
    case 'link':
      return buttonHtml(block);
    default:
      return assertNever(block, 'block of a letter');
  }
}

function factsHtml(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th style="text-align:left;vertical-align:top;padding:2px 16px 2px 0">${escapeHtml(name)}</th>` +
      `<td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<table style="border-collapse:collapse">\n${rows.join('\n')}\n</table>`;
}

const BUTTON_STYLE =
  'display:inline-block;padding:10px 20px;border-radius:6px;background:#1a1a1a;color:#fff;text-decoration:none';

/** The address is shown below: some programs open no links, and careful readers want to see where one leads. */
function buttonHtml({ text, url }: Link): string {
  const address = escapeHtml(webAddress(url));
  return (
    `<p><a href="${address}" style="${BUTTON_STYLE}">${escapeHtml(text)}</a><br>` +
    `<span style="font-size:13px;color:#666;overflow-wrap:anywhere">${address}</span></p>`
  );
}

function footerHtml(footer: Letter['footer']): string {
  if (typeof footer === 'string') return escapeHtml(footer);
  const { text, link } = footer;
  return `${escapeHtml(text)}<br><a href="${escapeHtml(webAddress(link.url))}" style="color:#666">${escapeHtml(link.text)}</a>`;
}

/** In the normal form, which has no blanks or line breaks. */
function webAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !WEB_PROTOCOLS.includes(parsed.protocol)) {
    throw new TypeError('a link of a letter must be an absolute http(s) address');
  }
  return parsed.href;
}

const WEB_PROTOCOLS = ['http:', 'https:'];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A name with a line break in it must not become a line, or a header, of its own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
