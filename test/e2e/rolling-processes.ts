import { waitFor } from '../../demo/wait.ts';
import { findFreePort } from '../support/free-port.ts';
import { type CommandRun, runCommand } from './command.ts';

/** One process of an installation that has several; it can be stopped and started again. */
export interface RoleProcess {
  readonly name: string;
  /** Where the API is, if it has that role. */
  readonly apiAddress: string;
  /** Resolves when it says that it is ready. */
  start(): Promise<void>;
  /** Tells it to stop and waits for its end. Answers its exit code and what it logged from `warn` on meanwhile. */
  stop(): Promise<{ readonly code: number | null; readonly complaints: readonly string[] }>;
  kill(): Promise<void>;
  output(): string;
}

const WARN = 40;
/** Processes start while others keep the machine busy on purpose. */
const START_PATIENCE_MS = 120_000;

export async function createRoleProcess(
  name: string,
  { cwd, env, args = [] }: { cwd: string; env: Readonly<Record<string, string>>; args?: readonly string[] },
): Promise<RoleProcess> {
  const port = await findFreePort();
  let command: CommandRun | undefined;

  return {
    name,
    apiAddress: `127.0.0.1:${port}`,
    async start() {
      const started = runCommand(args, { cwd, env: { ...env, PORT: String(port), MONITOR_PORT: '0' } });
      command = started;
      let isOver = false;
      void started.end().then(() => {
        isOver = true;
      });
      const isReady = async () => {
        if (isOver) throw new Error(`${name} ended at its start: ${started.output()}`);
        // By what this very process says: another one may answer on a port that was meant for it.
        const [, monitorUrl] = /"url":"([^"]+)","msg":"answering monitoring"/.exec(started.output()) ?? [];
        return monitorUrl !== undefined && (await statusOf(`${monitorUrl}/ready`)) === 200 ? true : null;
      };
      await waitFor(isReady, () => `${name} did not become ready: ${started.output()}`, START_PATIENCE_MS);
    },
    async stop() {
      command?.signal('SIGTERM');
      const { code, stdout } = (await command?.end()) ?? { code: null, stdout: '' };
      // One that had ended by itself never said that it stops: all it ever logged counts then.
      const from = Math.max(0, stdout.lastIndexOf('"msg":"stopping"'));
      return { code, complaints: complaintsIn(stdout.slice(stdout.lastIndexOf('\n', from) + 1)) };
    },
    async kill() {
      await command?.kill();
    },
    output: () => command?.output() ?? '',
  };
}

/** The HTTP status of a GET, or null when nobody answers. */
export async function statusOf(url: string): Promise<number | null> {
  try {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}

/** What a log tells that an operator should look at. */
function complaintsIn(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= WARN);
}
