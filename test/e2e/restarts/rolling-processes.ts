import { waitFor } from '../../../demo/wait.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type CommandRun, runCommand } from '../cli/command.ts';

/** One of several processes of an installation; it can be stopped and restarted. */
export interface RoleProcess {
  readonly name: string;
  /** Address of the API, if it has that role. */
  readonly apiAddress: string;
  /** Resolves when the process logs that it is ready. */
  start(): Promise<void>;
  /**
   * Sends a stop signal and waits for the exit. Returns the exit code and what was logged at `warn`
   * or above during the stop.
   */
  stop(): Promise<{ readonly code: number | null; readonly complaints: readonly string[] }>;
  kill(): Promise<void>;
  output(): string;
}

const WARN = 40;
/** Processes start while others deliberately keep the machine busy. */
const START_TIMEOUT_MS = 120_000;

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
        // Taken from this process's own log: another process may answer on a port that was meant
        // for it.
        const [, monitorUrl] = /"url":"([^"]+)","msg":"monitoring is listening"/.exec(started.output()) ?? [];
        return monitorUrl !== undefined && (await statusOf(`${monitorUrl}/ready`)) === 200 ? true : null;
      };
      await waitFor(isReady, () => `${name} did not become ready: ${started.output()}`, START_TIMEOUT_MS);
    },
    async stop() {
      command?.signal('SIGTERM');
      const { code, stdout } = (await command?.end()) ?? { code: null, stdout: '' };
      // A process that exited unexpectedly never logged that it stops: then its whole log counts.
      const from = Math.max(0, stdout.lastIndexOf('"msg":"stopping"'));
      return { code, complaints: complaintsIn(stdout.slice(stdout.lastIndexOf('\n', from) + 1)) };
    },
    async kill() {
      await command?.kill();
    },
    output: () => command?.output() ?? '',
  };
}

/** The HTTP status of a GET, or null when there is no response. */
export async function statusOf(url: string): Promise<number | null> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Log lines that need an operator's attention. */
function complaintsIn(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= WARN);
}
