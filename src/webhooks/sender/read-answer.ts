import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { storableText } from './storable-text.ts';

/** The body of an answer as the log keeps it. */
export interface AnswerBody {
  /** Text of the first 16 KB; null when there were no bytes. */
  readonly text: string | null;
  /** More was sent than is kept, or the body broke off. */
  readonly isCut: boolean;
}

/** As much of an answer is read, in bytes, so that its connection can be used again; a longer one is cut off. */
const MAX_ANSWER_BYTES = 16_384;

/**
 * Reads the body of an answer. Never rejects: the status has said whether the receiver took the event, and sending it
 * again because the body broke off would only make it come twice. Ends with the stream, which the deadline of the
 * attempt destroys.
 */
export async function readAnswer(
  body: Readable,
  { contentType, contentEncoding }: { contentType: string | undefined; contentEncoding: string | undefined },
): Promise<AnswerBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  // Being cut off is an error to the stream, and nobody else listens to it.
  body.on('error', () => undefined);
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue;
      const room = MAX_ANSWER_BYTES - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += Math.min(chunk.length, room);
      isCut = chunk.length > room;
      // Leaving the loop closes the connection, so the rest is not even received.
      if (isCut) break;
    }
  } catch {
    isCut = true;
  }
  return { text: textOf(Buffer.concat(chunks), contentType, contentEncoding, isCut), isCut };
}

// Helpers

/** Nothing is unpacked: what was not asked for may be made to explode. */
function textOf(
  bytes: Buffer,
  contentType: string | undefined,
  contentEncoding: string | undefined,
  isCut: boolean,
): string | null {
  if (bytes.length === 0) return null;
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    const howMany = isCut ? `at least ${bytes.length}` : bytes.length;
    return storableText(`[${howMany} bytes of ${encoding.slice(0, 64)}, not unpacked]`, MAX_ANSWER_BYTES);
  }
  // As part of a stream, so that a character the cut went through is left out.
  return storableText(decoderFor(contentType).decode(bytes, { stream: true }), MAX_ANSWER_BYTES);
}

/** The encoding that `charset=` names (WHATWG labels), else UTF-8; bytes that make no sense become U+FFFD. */
function decoderFor(contentType: string | undefined): TextDecoder {
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
