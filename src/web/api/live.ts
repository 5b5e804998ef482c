import { useEffect, useState } from 'react';
import type { LiveChange } from '../../http/console/operator/schemas.ts';
import { queryText } from '../routing/paths.ts';
import { usePreference } from '../state/preferences.ts';
import { queryClient, retryDelayMs, toSignIn } from './client.ts';
import { refreshSoon, refreshSums } from './queries.ts';
import { API, CONSOLE_HEADERS, failureOf } from './request.ts';
import { type ServerEvent, serverEvents } from './server-events.ts';

export type LiveState = 'off' | 'connecting' | 'on' | 'lost';

/**
 * Subscribes to changes of actors while live updates are on. The browser's EventSource cannot send
 * the header that all console requests need, so the stream is read with `fetch`; it resumes after
 * the last event in the same way.
 */
export function useLive(isOfMerchant: boolean): LiveState {
  const isLive = usePreference('isLive');
  const [state, setState] = useState<LiveState>('off');
  useEffect(() => {
    if (!isLive) {
      setState('off');
      return;
    }
    const stop = new AbortController();
    void follow({ isOfMerchant, signal: stop.signal, setState });
    return () => stop.abort();
  }, [isLive, isOfMerchant]);
  return state;
}

// Helpers

interface Following {
  readonly isOfMerchant: boolean;
  readonly signal: AbortSignal;
  setState(state: LiveState): void;
}

async function follow({ isOfMerchant, signal, setState }: Following): Promise<void> {
  let lastId: string | null = null;
  for (let failures = 0; !signal.aborted; failures += 1) {
    setState(failures === 0 ? 'connecting' : 'lost');
    try {
      const response: Response = await fetch(`${API}${isOfMerchant ? '/merchant/live' : '/live'}`, {
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
        // More changed than the stream could send.
        if (events.some(({ name }) => name === 'reload')) void queryClient.invalidateQueries();
        const changes = events.flatMap(changeIn);
        refreshSoon(changes.flatMap(isOfMerchant ? merchantPaths : operatorPaths));
        if (isOfMerchant && changes.length > 0) refreshSums(SUMMED_PATHS);
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

function operatorPaths({ actorId, kind }: LiveChange): readonly string[] {
  return [`/actors/${encodeURIComponent(actorId)}`, `/population${queryText({ kind })}`, '/actors?'];
}

/** What shows merchants the data of each kind of actor. */
const MERCHANT_PATHS: Readonly<Record<string, readonly string[]>> = {
  transaction: ['payments', 'attention', 'plan', 'links'],
  schedule: ['recurring'],
  delivery: ['webhooks', 'payments'],
};

/** What sums up a merchant's payments and deliveries. */
const SUMMED_PATHS = ['/merchant/overview', '/merchant/statistics', '/merchant/wallets'];

function merchantPaths({ kind }: LiveChange): readonly string[] {
  return (MERCHANT_PATHS[kind] ?? []).map((path) => `/merchant/${path}`);
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
