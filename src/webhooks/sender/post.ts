import { type Dispatcher, request } from 'undici';
import { messageOf } from '../../errors.ts';
import { classifyError, classifyStatus, type PostResult, tooSlow } from './classify.ts';

export interface PostDeps {
  readonly dispatcher: Dispatcher;
  /** From the DNS query to the end of the answer, in ms. */
  readonly timeoutMs: number;
  /** Ends every POST that runs. */
  readonly closing: AbortSignal;
}

export interface PostRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** As much of an answer is read, in bytes, so that its connection can be used again; a longer one is cut off. */
const MAX_ANSWER_BYTES = 16_384;

/** Sends one webhook. Never rejects for what the network or the receiver does; rejects when `closing` fires. */
export async function post(deps: PostDeps, { url, headers, body }: PostRequest): Promise<PostResult> {
  const { dispatcher, timeoutMs, closing } = deps;
  closing.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error('the deadline of the attempt')), timeoutMs);
  const close = () => deadline.abort(closing.reason);
  closing.addEventListener('abort', close, { once: true });
  try {
    const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal: deadline.signal });
    await discard(answer.body, deadline.signal);
    return classifyStatus(answer.statusCode);
  } catch (error) {
    closing.throwIfAborted();
    return deadline.signal.aborted ? tooSlow(timeoutMs) : classifyError(error);
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', close);
  }
}

// Helpers

/**
 * Reads the rest of an answer. Whatever goes wrong here changes nothing: the status has said whether the receiver took
 * the event, and sending it again because the body broke off would only make it come twice.
 */
async function discard(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<void> {
  try {
    await body.dump({ limit: MAX_ANSWER_BYTES, signal });
  } catch (error) {
    body.destroy(new Error(`the answer was cut off: ${messageOf(error)}`));
  }
}
