import { waitFor } from '../../demo/wait.ts';
import { findFreePort } from '../support/free-port.ts';
import { type CommandRun, runCommand } from './command.ts';

/** One process of an installation that has several; it can be stopped and started again. */
export interface RoleProcess {
  readonly name: string;
  /** Where it answers `/ready`, whatever its roles. */
  readonly monitorUrl: string;
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
  const [port, monitorPort] = [await findFreePort(), await findFreePort()];
  const monitorUrl = `http://127.0.0.1:${monitorPort}`;
  let command: CommandRun | undefined;

  return {
    name,
    monitorUrl,
    apiAddress: `127.0.0.1:${port}`,
    async start() {
      command = runCommand(args, { cwd, env: { ...env, PORT: String(port), MONITOR_PORT: String(monitorPort) } });
      await waitFor(
        async () => ((await statusOf(`${monitorUrl}/ready`)) === 200 ? true : null),
        () => `${name} did not become ready: ${command?.output()}`,
        START_PATIENCE_MS,
      );
    },
    async stop() {
      command?.signal('SIGTERM');
      const { code, stdout } = (await command?.end()) ?? { code: null, stdout: '' };
      return { code, complaints: complaintsIn(stdout.slice(stdout.lastIndexOf('"msg":"stopping"'))) };
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
