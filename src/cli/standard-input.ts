import { text } from 'node:stream/consumers';

/** Reads standard input to its end. */
export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}
