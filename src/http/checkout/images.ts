import type { FastifyPluginAsync } from 'fastify';
import { findImage } from '../../images/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { beginErrorReply, classifyError } from '../plugins/index.ts';
import { CACHE_FOR_EVER, IMAGE_HEADERS } from './headers.ts';

export interface ImageOptions {
  readonly db: Parameters<typeof findImage>[0]['db'];
}

/**
 * Images that merchants uploaded, to be registered at the root.
 *
 * - GET /images/:id   the bytes; the id is their hash, so an address never changes its content
 */
export const imageRoutes: FastifyPluginAsync<ImageOptions> = async (app, deps) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(IMAGE_HEADERS);
  });
  app.setErrorHandler((error, request, reply) => {
    const response = responseOf(error);
    return beginErrorReply(error, response, { request, reply }).type('text/plain; charset=utf-8').send(response.text);
  });

  app.get<{ Params: { id: string } }>('/images/:id', async ({ params }, reply) => {
    const image = await findImage(deps, params.id);
    if (image === null) throw new TerminalError('NOT_FOUND', 'Image not found');
    return reply.type(image.contentType).header('cache-control', CACHE_FOR_EVER).send(image.bytes);
  });
};

// Helpers

interface ImageProblem {
  readonly status: number;
  readonly retryAfter: number | null;
  readonly text: string;
}

function responseOf(error: unknown): ImageProblem {
  const failure = classifyError(error);
  switch (failure.kind) {
    case 'temporary':
      return { status: failure.status, retryAfter: failure.retryAfter, text: 'Please try again later\n' };
    case 'rejected':
      return { status: 404, retryAfter: null, text: `${failure.error.message}\n` };
    case 'unreadable':
      return { status: failure.status, retryAfter: null, text: 'The request could not be read\n' };
    case 'bug':
      return { status: 500, retryAfter: null, text: 'The image could not be read\n' };
  }
}
