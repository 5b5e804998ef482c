import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { RoundFigures } from '../support/costs.ts';
import type { RoundRequest } from '../support/rounds.ts';

/** One of the two builds, in a separate process that idles while the other one runs. */
export interface Side {
  run(request: RoundRequest): Promise<RoundFigures>;
  stop(): Promise<void>;
}

/** Starts a compiled `round.js`; resolves when it is ready. */
export async function startSide(script: string): Promise<Side> {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${script} ended before it answered`);
    return value;
  };
  await nextLine();
  return {
    async run(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return JSON.parse(await nextLine()) as RoundFigures;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      process.off('exit', kill);
    },
  };
}
