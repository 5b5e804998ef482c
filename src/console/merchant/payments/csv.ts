/**
 * Files for spreadsheets: RFC 4180 in UTF-8, begun by a byte order mark so that the usual programs take it for UTF-8.
 *
 * A cell that begins with `=`, `+`, `-`, `@`, a tab or a line end runs as a formula (OWASP, CSV injection). Such cells get a `'` in
 * front. Where a decimal comma is usual, programs divide at `;` instead of `,`, so the same is done behind every separator within a
 * cell. One more `'` is put in front of those that are there already, so that `plainCell` gives back every text.
 */
export const BYTE_ORDER_MARK = '\ufeff';

/** One line with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A text as it is before it was made harmless: what a reader of the file takes for the content of a cell. */
export function plainCell(cell: string): string {
  return cell.replace(WAS_MADE_HARMLESS, '');
}

// Helpers

/** Also the wide forms, which some programs read as the narrow ones. */
const STARTS_FORMULA = '=+\\-@\\t\\r\\n＝＋－＠';
const BEHIND_SEPARATOR = '(?<=^|[,;|\\t\\r\\n])';
/** Quotes and spaces are taken off by some programs before they look. */
const TAKEN_OFF = `['" ]*`;
const MUST_BE_HARMLESS = new RegExp(`${BEHIND_SEPARATOR}(?=${TAKEN_OFF}[${STARTS_FORMULA}])`, 'g');
const WAS_MADE_HARMLESS = new RegExp(`${BEHIND_SEPARATOR}'(?=${TAKEN_OFF}[${STARTS_FORMULA}])`, 'g');
const MUST_BE_QUOTED = /[",;'|\t\r\n]/;

function csvCell(text: string): string {
  const harmless = text.replace(MUST_BE_HARMLESS, "'");
  return MUST_BE_QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
