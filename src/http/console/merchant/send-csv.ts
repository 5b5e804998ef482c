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
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(rejoin(begin, pieces, reply.request)));
}

// Helpers

/** If the reader disconnects, the source generator ends too. */
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
  } finally {
    await rest.return(undefined);
  }
}
