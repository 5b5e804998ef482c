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
  // A group of its own, so that the processes it starts end with it, whatever fails.
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const kill = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
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

// Helpers

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
