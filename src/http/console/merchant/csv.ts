import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { outagesOf } from '../../plugins/index.ts';

interface CsvFile {
  /** Without `.csv`. */
  readonly name: string;
  /** The first piece is the header. */
  readonly pieces: AsyncGenerator<string>;
}

/**
 * Streams a CSV file while it is generated. The header and the first rows are read before anything
 * is sent, so that an error until then becomes an error response.
 */
export async function sendCsv(reply: FastifyReply, { name, pieces }: CsvFile): Promise<FastifyReply> {
  const begin = [await pieces.next(), await pieces.next()].flatMap(({ done, value }) => (done ? [] : [value]));
  const file = Readable.from(rejoin(begin, pieces, reply.request));
  // Also when the client disconnected before anything was read: the generator has not begun then.
  file.once('close', () => void pieces.return(undefined));
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(file);
}

/** CSV files are UTF-8 (RFC 4180); with this mark common spreadsheet programs recognise it. */
export const BYTE_ORDER_MARK = '\ufeff';

/** One line with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Reverses the escaping: the text that a reader of the file takes as the content of a cell. */
export function plainCell(cell: string): string {
  return cell.replace(ESCAPED_FORMULA, '');
}

// Helpers

async function* rejoin(
  begin: readonly string[],
  rest: AsyncGenerator<string>,
  request: FastifyRequest,
): AsyncGenerator<string> {
  try {
    yield* begin;
    yield* rest;
  } catch (error) {
    // The error handler does not see it, because the response has started.
    outagesOf(request).report(error);
    throw error;
  }
}

/** Includes the full-width forms, which some programs read as the ASCII ones. */
const STARTS_FORMULA = '=+\\-@\\t\\r\\n＝＋－＠';
const BEHIND_SEPARATOR = '(?<=^|[,;|\\t\\r\\n])';
/** Some programs strip quotes and spaces before they look for a formula. */
const TAKEN_OFF = `['" ]*`;
const UNESCAPED_FORMULA = new RegExp(`${BEHIND_SEPARATOR}(?=${TAKEN_OFF}[${STARTS_FORMULA}])`, 'g');
const ESCAPED_FORMULA = new RegExp(`${BEHIND_SEPARATOR}'(?=${TAKEN_OFF}[${STARTS_FORMULA}])`, 'g');
const MUST_BE_QUOTED = /[",;'|\t\r\n]/;

/**
 * A cell that starts with `=`, `+`, `-`, `@`, a tab or a line end runs as a formula (OWASP, CSV
 * injection). Such cells get a `'` in front. In locales with a decimal comma, programs split at `;`
 * instead of `,`, so the same is done after every separator within a cell. An existing `'` there
 * gets another one in front, so that `plainCell` restores every text.
 */
function csvCell(text: string): string {
  const escaped = text.replace(UNESCAPED_FORMULA, "'");
  return MUST_BE_QUOTED.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
