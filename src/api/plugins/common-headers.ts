import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Puts on every response what every response carries. */
export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply);
  });
}

/** For answers that no hook sees. */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('X-Request-Id', request.id);
  void reply.header('X-Content-Type-Options', 'nosniff');
}

/** Answers of the API are for one caller at one moment; no cache may keep them. */
export function addNoStore(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('Cache-Control', 'no-store');
  });
}
