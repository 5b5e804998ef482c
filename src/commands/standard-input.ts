import { text } from 'node:stream/consumers';

/** Everything that is written to this process. */
export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}
