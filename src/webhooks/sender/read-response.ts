import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { storableText } from './storable-text.ts';

/** The body of a response as the log stores it. */
export interface ResponseBody {
  /** Text of the first 16 KB; null when the body was empty. */
  readonly text: string | null;
  /** The body was longer than what is stored, or broke off. */
  readonly isCut: boolean;
}

/** Bytes read of a response, so that its connection can be reused; a longer one is cut off. */
const MAX_RESPONSE_BYTES = 16_384;

/**
 * Reads the body of a response. Never rejects: the status already says whether the receiver
 * accepted the event, and retrying because the body broke off would only cause a duplicate. Ends
 * with the stream, which the attempt's deadline destroys.
 */
export async function readResponse(
  body: Readable,
  { contentType, contentEncoding }: { contentType: string | undefined; contentEncoding: string | undefined },
): Promise<ResponseBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  // A body that breaks off emits an error, and the stream has no other listener.
  body.on('error', () => undefined);
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue;
      const room = MAX_RESPONSE_BYTES - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += Math.min(chunk.length, room);
      isCut = chunk.length > room;
      // Leaving the loop closes the connection, so the rest is not received.
      if (isCut) break;
    }
  } catch {
    isCut = true;
  }
  return { text: textOf(Buffer.concat(chunks), contentType, contentEncoding, isCut), isCut };
}

// Helpers

/**
 * Compressed bodies are not decompressed: none was requested, and it may be a decompression bomb.
 */
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
    return storableText(`[${howMany} bytes of ${encoding.slice(0, 64)}, not unpacked]`, MAX_RESPONSE_BYTES);
  }
  // Decoded as a stream, so that a character split by the cut is dropped.
  return storableText(decoderFor(contentType).decode(bytes, { stream: true }), MAX_RESPONSE_BYTES);
}

/** The encoding named by `charset=` (WHATWG labels), else UTF-8; invalid bytes become U+FFFD. */
function decoderFor(contentType: string | undefined): TextDecoder {
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
