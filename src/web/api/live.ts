import { useEffect, useState } from 'react';
import type { LiveChange } from '../../http/console/operations/schemas.ts';
import { useView } from '../state/view-store.ts';
import { retryDelayMs, toSignIn } from './client.ts';
import { showEverythingAnew } from './operator.ts';
import { API, CONSOLE_HEADERS, failureOf } from './request.ts';
import { type ServerEvent, serverEvents } from './server-events.ts';

export type LiveState = 'off' | 'connecting' | 'on' | 'lost';

/**
 * Subscribes to changes of actors while live updates are on. The browser's EventSource cannot send
 * the header that all console requests need, so the stream is read with `fetch`; it resumes after
 * the last event in the same way.
 */
export function useLive(path: string, onChanges: (changes: readonly LiveChange[]) => void): LiveState {
  const isLive = useView('isLive');
  const [state, setState] = useState<LiveState>('off');
  useEffect(() => {
    if (!isLive) {
      setState('off');
      return;
    }
    const stop = new AbortController();
    void follow({ path, signal: stop.signal, setState, onChanges });
    return () => stop.abort();
  }, [isLive, path, onChanges]);
  return state;
}

// Helpers

interface Following {
  readonly path: string;
  readonly signal: AbortSignal;
  setState(state: LiveState): void;
  onChanges(changes: readonly LiveChange[]): void;
}

async function follow({ path, signal, setState, onChanges }: Following): Promise<void> {
  let lastId: string | null = null;
  for (let failures = 0; !signal.aborted; failures += 1) {
    setState(failures === 0 ? 'connecting' : 'lost');
    try {
      const response: Response = await fetch(`${API}${path}`, {
        headers: {
          ...CONSOLE_HEADERS,
          accept: 'text/event-stream',
          ...(lastId === null ? {} : { 'last-event-id': lastId }),
        },
        signal,
      });
      if (response.status === 401) return toSignIn();
      if (!response.ok || response.body === null) throw failureOf(response.status, null);
      setState('on');
      failures = -1;
      for await (const events of serverEvents(response.body)) {
        lastId = events.findLast(({ id }) => id !== null)?.id ?? lastId;
        if (events.some(({ name }) => name === 'reload')) showEverythingAnew();
        const changes = events.flatMap(changeIn);
        if (changes.length > 0) onChanges(changes);
      }
    } catch {
      // Disconnected; the next iteration reconnects.
    }
    await pause(retryDelayMs(Math.max(failures, 0)), signal);
  }
}

function changeIn({ data }: ServerEvent): LiveChange[] {
  try {
    const change: LiveChange = JSON.parse(data);
    return typeof change?.actorId === 'string' ? [change] : [];
  } catch {
    return [];
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
