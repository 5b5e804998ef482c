import { textColourOn } from '../platform/contrast.ts';
import { assertNever } from '../platform/errors.ts';
import { escapeHtml } from '../platform/text.ts';

/**
 * Content of an email, without markup. All text is plain and may contain any input of a merchant or
 * a server.
 */
export interface EmailContent {
  /** Name of the recipient for the greeting; null when unknown. */
  readonly to: string | null;
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** Why the recipient gets this email, in small print. */
  readonly footer: string | Footer;
  /** Language of the content; English if omitted. */
  readonly language?: EmailLanguage;
  readonly look?: EmailBranding;
}

/** The look of a merchant, in the HTML of an email to its customers. */
export interface EmailBranding {
  readonly name: string;
  /** Absolute URL of its logo; null for none. */
  readonly logoUrl: string | null;
  /** Colour of the button as `#rrggbb`; null for the default. */
  readonly colour: string | null;
}

export interface EmailLanguage {
  /** BCP 47, such as `en`. */
  readonly code: string;
  greet(to: string | null): string;
}

/** Small print with a link, such as to unsubscribe. */
export interface Footer {
  readonly text: string;
  readonly link: Link;
}

export interface Link {
  /** The action, as on a button. */
  readonly text: string;
  /** Absolute http or https URL. */
  readonly url: string;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Names and values, one per line. */
  | { readonly kind: 'details'; readonly details: readonly (readonly [name: string, value: string])[] }
  /** The main action, as a button. */
  | ({ readonly kind: 'link' } & Link);

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const STYLES = {
  page: 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:36em',
  footer: 'margin-top:32px;font-size:13px;color:#666',
  details: 'border-collapse:collapse',
  name: 'text-align:left;vertical-align:top;padding:2px 16px 2px 0',
  value: 'padding:2px 0;overflow-wrap:anywhere',
  logo: 'height:40px;max-width:160px;vertical-align:middle;margin-right:8px',
  head: 'font-weight:600',
  address: 'font-size:13px;color:#666;overflow-wrap:anywhere',
  quiet: 'color:#666',
};

const DEFAULT_COLOUR = '#1a1a1a';

function buttonStyle(colour: string): string {
  const look = `background:${colour};color:${textColourOn(colour)}`;
  return `display:inline-block;padding:10px 20px;border-radius:6px;text-decoration:none;${look}`;
}

/**
 * All `style` attributes of an email without the colour of a merchant; a page that shows one must
 * permit them.
 */
export const MAIL_STYLES: readonly string[] = [...Object.values(STYLES), buttonStyle(DEFAULT_COLOUR)];

/**
 * Renders an email as plain text and as HTML; the mail client chooses. Styles are inline and few,
 * because mail clients drop the rest. Throws `TypeError` for a link that is not an http(s) URL:
 * links are ours, so that is a bug.
 */
export function renderEmail({ to, subject, blocks, footer, language = ENGLISH, look }: EmailContent): RenderedEmail {
  const greeting = paragraph(language.greet(to));
  const all = [greeting, ...blocks];
  return {
    subject: oneLine(subject),
    text: `${[...all.map(blockText), `--\n${footerText(footer)}`].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="${escapeHtml(language.code)}">`,
      `<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      `<body style="${STYLES.page}">`,
      ...(look === undefined ? [] : [headHtml(look)]),
      ...all.map((block) => blockHtml(block, look?.colour ?? DEFAULT_COLOUR)),
      `<p style="${STYLES.footer}">${footerHtml(footer)}</p>`,
      '</body>',
      '</html>',
      '',
    ].join('\n'),
  };
}

// Helpers

const ENGLISH: EmailLanguage = { code: 'en', greet: (to) => (to === null ? 'Hello,' : `Hello ${to},`) };

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'details':
      return block.details.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n');
    case 'link':
      return linkText(block);
    default:
      return assertNever(block, 'block of an email');
  }
}

/**
 * The URL gets its own line: mail clients turn it into a link, and text after it cannot become
 * part of it.
 */
function linkText({ text, url }: Link): string {
  return `${oneLine(text)}:\n${webAddress(url)}`;
}

function footerText(footer: EmailContent['footer']): string {
  return typeof footer === 'string' ? footer : `${footer.text}\n${linkText(footer.link)}`;
}

/** Mail clients that load no images show only the name. */
function headHtml({ name, logoUrl }: EmailBranding): string {
  const logo =
    logoUrl === null ? '' : `<img src="${escapeHtml(webAddress(logoUrl))}" alt="" height="40" style="${STYLES.logo}"> `;
  return `<p style="${STYLES.head}">${logo}${escapeHtml(name)}</p>`;
}

function blockHtml(block: Block, colour: string): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'details':
      return detailsHtml(block.details);
    case 'link':
      return buttonHtml(block, colour);
    default:
      return assertNever(block, 'block of an email');
  }
}

function detailsHtml(details: readonly (readonly [string, string])[]): string {
  const rows = details.map(
    ([name, value]) =>
      `<tr><th style="${STYLES.name}">${escapeHtml(name)}</th>` +
      `<td style="${STYLES.value}">${escapeHtml(value)}</td></tr>`,
  );
  return `<table style="${STYLES.details}">\n${rows.join('\n')}\n</table>`;
}

/**
 * The URL is shown below the button: some mail clients open no links, and careful readers check
 * where one leads.
 */
function buttonHtml({ text, url }: Link, colour: string): string {
  const address = escapeHtml(webAddress(url));
  return (
    `<p><a href="${address}" style="${buttonStyle(colour)}">${escapeHtml(text)}</a><br>` +
    `<span style="${STYLES.address}">${address}</span></p>`
  );
}

function footerHtml(footer: EmailContent['footer']): string {
  if (typeof footer === 'string') return escapeHtml(footer);
  const { text, link } = footer;
  return `${escapeHtml(text)}<br><a href="${escapeHtml(webAddress(link.url))}" style="${STYLES.quiet}">${escapeHtml(link.text)}</a>`;
}

/** The normalised URL has no spaces or line breaks. */
function webAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !WEB_PROTOCOLS.includes(parsed.protocol)) {
    throw new TypeError('a link in an email must be an absolute http(s) URL');
  }
  return parsed.href;
}

const WEB_PROTOCOLS = ['http:', 'https:'];

/** A name with a line break must not start a new line or a new header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
