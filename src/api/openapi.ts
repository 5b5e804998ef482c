import swagger from '@fastify/swagger';
import { fastify } from 'fastify';
import { merchantApi } from './merchant-api.ts';
import { API_PREFIX, SERVER_OPTIONS } from './server.ts';

/** The OpenAPI 3.1 description of the merchant API, made from the very routes that serve it. */
export async function describeApi({ version }: { version: string }): Promise<object> {
  const app = fastify(SERVER_OPTIONS);
  await app.register(swagger, {
    hideUntagged: true,
    refResolver: {
      buildLocalReference: ({ $id }, _baseUri, _fragment, index) => (typeof $id === 'string' ? $id : `schema-${index}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Quittance merchant API',
        version,
        description:
          'Take cryptocurrency payments straight into your own wallet. Amounts are JSON numbers; in webhooks they are decimal strings. Every response carries X-Request-Id.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: API_PREFIX, description: 'Under the public address of your deployment' }],
      tags: [
        { name: 'Transactions', description: 'Payments of your customers' },
        { name: 'System', description: 'The service itself' },
      ],
      components: {
        securitySchemes: {
          secretKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A secret API key: sk_live_... for real coins, sk_test_... for simulated ones.',
          },
          operatorToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'What OPERATOR_TOKEN is set to, for whoever runs the service.',
          },
        },
      },
      security: [{ secretKey: [] }],
    },
  });
  const unused = () => Promise.reject(new Error('This server only describes itself'));
  await app.register(merchantApi, {
    prefix: API_PREFIX,
    version,
    health: unused,
    operators: { token: null, readDetails: unused },
    isReady: () => false,
    authenticator: { authenticate: unused },
    payments: { create: unused, get: unused, list: unused, simulate: unused },
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
