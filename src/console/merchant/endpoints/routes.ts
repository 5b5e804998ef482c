import type { FastifyPluginAsync } from 'fastify';
import { type FieldReader, listOf, maybe, oneOf, readFields, textUpTo, whole, yesOrNo } from '../../reading.ts';
import { requireReauth, requireRole } from '../../session/index.ts';
import { memberOf } from '../member.ts';
import { readChanges, readGiven } from '../read-given.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { idIn } from './ids.ts';
import type { EndpointsDesk } from './port.ts';
import { replayRoutes } from './replay-routes.ts';

/** Above the limit of a URL, so that the use case's error can state that limit. */
const MAX_URL_CHARACTERS = 4_000;
const MAX_DESCRIPTION_CHARACTERS = 1_000;
const MAX_EVENT_CHARACTERS = 100;
const MAX_EVENTS = 50;
const MAX_OVERLAP_HOURS = 24;

/**
 * Webhooks: owners change endpoints; staff can read them, send test events and resend single
 * events.
 */
export const endpointsRoutes: FastifyPluginAsync<{ readonly endpoints: EndpointsDesk }> = async (
  app,
  { endpoints },
) => {
  const forOwners = { onRequest: requireRole('owner') };
  const withPassword = { onRequest: requireReauth('owner') };

  app.get('/webhooks', async (request) => ({ data: await endpoints.list(memberOf(request)) }));

  app.post('/webhooks', withPassword, async (request, reply) => {
    const { url, modes: ofModes, ...wanted } = readFields(request.body, { url: address, modes, ...ABOUT });
    const made = await endpoints.create(memberOf(request), { url, modes: ofModes, ...readGiven(wanted, ABOUT) });
    return reply.code(201).send({ data: made });
  });

  app.get('/webhooks/:id', async (request) => ({
    data: await endpoints.get(memberOf(request), idIn(request.params)),
  }));

  app.patch('/webhooks/:id', withPassword, async (request) => {
    const id = idIn(request.params);
    await endpoints.change(
      memberOf(request),
      id,
      readChanges(request.body, { url: maybe(address), modes: maybe(modes), enabled: maybe(yesOrNo), ...ABOUT }),
    );
    return { data: { id } };
  });

  app.delete('/webhooks/:id', forOwners, async (request, reply) => {
    await endpoints.remove(memberOf(request), idIn(request.params));
    return reply.code(204).send();
  });

  app.post('/webhooks/:id/secret', withPassword, async (request) => ({
    data: await endpoints.regenerateSecret(memberOf(request), idIn(request.params)),
  }));

  app.post('/webhooks/:id/rotate-secret', withPassword, async (request) => {
    const rotation = readFields(request.body, { overlapHours: whole(1, MAX_OVERLAP_HOURS) });
    return { data: await endpoints.rotateSecret(memberOf(request), idIn(request.params), rotation) };
  });

  app.post('/webhooks/:id/test', async (request, reply) => {
    const { event } = readFields(request.body, { event: textUpTo(MAX_EVENT_CHARACTERS) });
    return reply.code(201).send({ data: await endpoints.sendTest(memberOf(request), idIn(request.params), event) });
  });

  deliveryRoutes(app, endpoints);
  replayRoutes(app, endpoints);
};

// Helpers

const address = textUpTo(MAX_URL_CHARACTERS);
const modes = listOf(oneOf(['live', 'test']), 2);

/** An empty description removes it. */
const description: FieldReader<string> = (value, name) =>
  value === '' ? '' : textUpTo(MAX_DESCRIPTION_CHARACTERS)(value, name);

const ABOUT = {
  events: maybe(listOf(textUpTo(MAX_EVENT_CHARACTERS), MAX_EVENTS)),
  description: maybe(description),
  disablesItself: maybe(yesOrNo),
};
