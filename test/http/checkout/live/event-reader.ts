/** A page's event stream, read as a browser would. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Events so far: their ids and parsed data. */
  readonly events: readonly { readonly id: string; readonly data: Record<string, unknown> }[];
  /** Everything received, including comments and settings. */
  text(): string;
  hasEnded(): boolean;
  close(): void;
}

export async function readEvents(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const events: { id: string; data: Record<string, unknown> }[] = [];
  let text = '';
  let ended = response.body === null;
  void read();

  async function read(): Promise<void> {
    try {
      let rest = '';
      for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, id, data] = /^id: ([^\n]*)\nevent: state\ndata: ([^\n]*)$/.exec(block) ?? [];
          if (id !== undefined && data !== undefined) events.push({ id, data: JSON.parse(data) });
        }
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
    ended = true;
  }

  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    hasEnded: () => ended,
    close: () => abort.abort(),
  };
}
