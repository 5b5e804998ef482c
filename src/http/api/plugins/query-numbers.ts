import type { FastifyInstance } from 'fastify';

const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * Query parameters are text. Those that a route declares as integers are converted when
 * they are plain whole numbers; anything else stays text and fails validation. JSON
 * bodies are never converted.
 */
export function readQueryNumbers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const names = integerNames(route.schema?.querystring);
    if (names.length === 0) return;
    const earlier = route.preValidation === undefined ? [] : [route.preValidation].flat();
    route.preValidation = [
      ...earlier,
      async (request) => {
        const query = request.query as Record<string, unknown>;
        for (const name of names) {
          const text = query[name];
          if (typeof text === 'string' && WHOLE_NUMBER.test(text)) query[name] = Number(text);
        }
      },
    ];
  });
}

// Helpers

function integerNames(schema: unknown): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: unknown }> };
  return Object.entries(properties).flatMap(([name, { type }]) => (type === 'integer' ? [name] : []));
}
