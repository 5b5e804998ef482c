import { text } from 'node:stream/consumers';

export function readStandardInput(): Promise<string> {
  return text(process.stdin);
}
