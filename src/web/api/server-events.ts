export interface ServerEvent {
  /** `message` if the server names none. */
  readonly name: string;
  readonly id: string | null;
  readonly data: string;
}

/** Limit of an unfinished block, so that a stream without block ends cannot fill the memory. */
const MAX_PENDING_CHARACTERS = 1024 * 1024;

/** Yields the events of a `text/event-stream` body, those of one chunk together (HTML, 9.2.6). */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      pending = `${pending}${decoder.decode(value, { stream: true })}`.replaceAll('\r\n', '\n');
      if (pending.length > MAX_PENDING_CHARACTERS) throw new Error('An event of the stream is too long');
      const blocks = pending.split('\n\n');
      pending = blocks.pop() ?? '';
      const events = blocks.flatMap(eventIn);
      if (events.length > 0) yield events;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

// Helpers

function eventIn(block: string): ServerEvent[] {
  let id: string | null = null;
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'id') id = value;
    if (field === 'event') name = value;
  }
  return data.length === 0 ? [] : [{ name, id, data: data.join('\n') }];
}
