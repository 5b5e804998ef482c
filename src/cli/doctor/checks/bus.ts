import { type InspectedServer, inspectNatsServer } from '../../../platform/bus/index.ts';
import { messageOf } from '../../../platform/errors.ts';
import { type Check, type Examined, type Finding, ok, problem, warning } from '../check.ts';

/** The message bus between processes. */
export const BUS_CHECKS: readonly Check[] = [{ name: 'NATS', run: nats }];

// Helpers

const MIN_NATS_VERSION = [2, 9] as const;
/** Messages are small, but one about a payment with many outputs lists them all. */
const MIN_PAYLOAD_BYTES = 256 * 1024;

async function nats({ config }: Examined) {
  const { url, prefix } = config.nats;
  if (url === null) return ok('not used: the bus runs inside the process, so only one process can run');
  let server: InspectedServer;
  try {
    server = await inspectNatsServer({ url, prefix });
  } catch (error) {
    return problem(
      `cannot connect: ${messageOf(error)}`,
      'Check NATS_URL (host, port, user and password), and that the server is running.',
    );
  }
  return [...aboutServer(server), ...aboutSyncing(server), ...aboutStream(server, prefix)];
}

function aboutServer({ display, version, maxPayloadBytes, jetStreamProblem }: InspectedServer): Finding[] {
  const findings: Finding[] = [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOldEnough = major > MIN_NATS_VERSION[0] || (major === MIN_NATS_VERSION[0] && minor >= MIN_NATS_VERSION[1]);
  findings.push(
    isOldEnough
      ? ok(`${version} at ${display} responds`)
      : problem(`${version} at ${display} is too old`, `Install NATS ${MIN_NATS_VERSION.join('.')} or newer.`),
  );
  if (jetStreamProblem !== null) {
    findings.push(
      problem(
        `JetStream cannot be used: ${jetStreamProblem}`,
        'Run the server with -js (and -sd FOLDER), and permit JetStream for this user.',
      ),
    );
  }
  if (maxPayloadBytes < MIN_PAYLOAD_BYTES) {
    findings.push(
      warning(
        `it accepts at most ${maxPayloadBytes} bytes per message`,
        `Set max_payload to ${MIN_PAYLOAD_BYTES} or more.`,
      ),
    );
  }
  return findings;
}

/**
 * How a power cut of the broker affects messages: lost ones are still in the database and are
 * resent minutes later.
 */
function aboutSyncing({ jetStreamProblem, syncing }: Pick<InspectedServer, 'jetStreamProblem' | 'syncing'>): Finding[] {
  if (jetStreamProblem !== null) return [];
  const remedy = 'Set sync_interval: always in its jetstream block, as deploy/nats/nats.conf does.';
  switch (syncing.kind) {
    case 'always':
      return [ok('each message is on disk before it is acknowledged')];
    case 'periodic':
      return [
        warning(
          `it syncs every ${syncing.everySeconds} s: a power cut delays messages received since by minutes`,
          remedy,
        ),
      ];
    case 'unsupported':
      return [
        warning(
          'it cannot sync each message: a power cut delays the messages of the last minutes by minutes',
          `Install NATS 2.10 or newer. ${remedy}`,
        ),
      ];
    case 'unseen':
      return [ok('cannot tell whether each message is synced: monitoring on its port 8222 does not respond')];
  }
}

function aboutStream({ jetStreamProblem, stream }: InspectedServer, prefix: string): Finding[] {
  if (jetStreamProblem !== null) return [];
  if (stream === null) return [ok(`no stream has the subjects of ${prefix} yet; the first start creates it`)];
  const { name, messages, isOnDisk, differences } = stream;
  if (!isOnDisk) {
    const remedy =
      'Stop the service, delete the stream and start again: it is recreated on disk. Or set another NATS_PREFIX.';
    return [problem(`the stream ${name} is stored in memory: a restart of NATS loses its messages`, remedy)];
  }
  if (differences.length === 0) return [ok(`the stream ${name} is configured correctly; ${messages} messages pending`)];
  return [
    warning(
      `the stream ${name} differs in ${differences.join(', ')}`,
      'The next start corrects it; if it does not, see its log.',
    ),
  ];
}
