/** What a mail says, without any markup. Every text is plain and may hold anything a merchant or a server has written. */
export interface Letter {
  /** Who is spoken to, as a name at the top. */
  readonly to: string;
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** Why the reader gets this, in small print. */
  readonly footer: string;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Names with their values, one per line. */
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] };

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The same letter as plain text and as HTML, for the reader's program to choose from. Styles are inline and few: mail programs drop the rest. */
export function renderMail({ to, subject, blocks, footer }: Letter): RenderedMail {
  const greeting: Block = { kind: 'paragraph', text: `Hello ${to},` };
  const all = [greeting, ...blocks];
  return {
    subject: oneLine(subject),
    text: `${[...all.map(blockText), `--\n${footer}`].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en">',
      `<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:36em">',
      ...all.map(blockHtml),
      `<p style="margin-top:32px;font-size:13px;color:#666">${escapeHtml(footer)}</p>`,
      '</body>',
      '</html>',
      '',
    ].join('\n'),
  };
}

// Helpers

function blockText(block: Block): string {
  if (block.kind === 'paragraph') return block.text;
  return block.facts.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n');
}

function blockHtml(block: Block): string {
  if (block.kind === 'paragraph') return `<p>${escapeHtml(block.text)}</p>`;
  const rows = block.facts.map(
    ([name, value]) =>
      `<tr><th style="text-align:left;vertical-align:top;padding:2px 16px 2px 0">${escapeHtml(name)}</th>` +
      `<td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<table style="border-collapse:collapse">\n${rows.join('\n')}\n</table>`;
}

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
