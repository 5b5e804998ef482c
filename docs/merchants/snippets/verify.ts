import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { verifyWebhook, WebhookError } from 'quittance/client';

const { WEBHOOK_SECRET = '', WEBHOOK_MODE = 'live', PORT = '8000' } = process.env;
const mode = WEBHOOK_MODE === 'test' ? 'test' : 'live';

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const rawBody = Buffer.concat(await request.toArray());
    const event = verifyWebhook(rawBody, request.headers, WEBHOOK_SECRET, { mode });
    console.log(event.id, event.event); // Store it here, unless its id is there already.
    response.writeHead(204).end();
  } catch (error) {
    // 400: not from the service, or not of this mode. 500: it is sent again.
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
}

export const server = createServer((request, response) => void receive(request, response));
server.listen(Number(PORT), '127.0.0.1');
