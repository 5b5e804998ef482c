import type { Clock } from '../../../platform/clock.ts';
import { messageOf, RetryableError, TerminalError } from '../../../platform/errors.ts';
import type { EventLog } from '../../../platform/log.ts';
import { failureOf, isFailure } from '../rpc/rpc-rejections.ts';
import type { EvmEndpoint } from './endpoint.ts';
import type { EvmHeads } from './evm-node.ts';

/**
 * Chooses which of several endpoints to use. The first in the list is preferred. One that fails or
 * lags ranks last, and regains its rank after it has been in sync for `RECOVERY_MS`. One whose
 * chain is shorter than the last chosen head is skipped for this poll if another has the whole
 * chain. One that serves another network receives no requests except the network check.
 */
export interface EndpointChoice {
  /** Chooses again and returns the heads of the chosen endpoint. */
  heads(): Promise<EvmHeads>;
  /** The endpoint chosen last; chooses one if there is none yet. */
  current(): Promise<EvmEndpoint>;
  /** Another endpoint that is in sync; null when there is none. */
  other(): EvmEndpoint | null;
  /** Marks an endpoint out of sync if the failure is the node's. Returns the error to throw. */
  failed(endpoint: EvmEndpoint, error: unknown): unknown;
  status(): EndpointStatus;
}

export interface EndpointStatus {
  /** Scheme and host of the endpoint in use; its path may contain an API key. */
  readonly endpoint: string;
  /** How often the endpoint in use has changed. */
  readonly failovers: number;
}

export interface EndpointChoiceDeps {
  readonly endpoints: readonly EvmEndpoint[];
  readonly network: string;
  readonly log: EventLog;
  readonly clock: Clock;
}

/** An endpoint this many blocks behind another is not used; fewer are a matter of seconds. */
export const LAG_BLOCKS = 3;
/** A comparison costs one request per endpoint. */
export const SURVEY_EVERY_MS = 30_000;
/** How long an endpoint must have been in sync again to regain its rank. */
export const RECOVERY_MS = 60_000;
/** A poll should not wait long for an endpoint it may not need. */
const PROBE_TIMEOUT_MS = 5_000;

export function createEndpointChoice({ endpoints, network, log, clock }: EndpointChoiceDeps): EndpointChoice {
  const members: Member[] = endpoints.map((endpoint) => ({ endpoint, inSyncSince: ALWAYS, network: 'unknown' }));
  let pinned: Member | null = null;
  let nextSurveyAt = 0;
  let failovers = 0;
  /** Height of the head returned last. */
  let reachedHeight = 0;

  async function heads(): Promise<EvmHeads> {
    if (members.length > 1 && clock.now() >= nextSurveyAt) await survey();
    const failures: unknown[] = [];
    let longest: Responded | null = null;
    for (const member of ranked()) {
      // Once another endpoint has responded, do not wait for one that is out of sync.
      if (longest !== null && member.inSyncSince === null) break;
      try {
        await confirmNetwork(member);
        const found = await member.endpoint.heads();
        if (longest === null || found.latest.height > longest.found.latest.height) longest = { member, found };
        if (found.latest.height >= reachedHeight) break;
      } catch (error) {
        const failure = putAside(member, error);
        if (!isFailure(failure)) throw failure;
        failures.push(failure);
      }
    }
    if (longest === null) throw mostHopeful(failures);
    pin(longest.member);
    reachedHeight = longest.found.latest.height;
    return longest.found;
  }

  /** Compares the heights of all endpoints, to detect those that lag or have recovered. */
  async function survey(): Promise<void> {
    nextSurveyAt = clock.now() + SURVEY_EVERY_MS;
    const heights = await Promise.all(members.filter((member) => member.network !== 'wrong').map(probe));
    const best = Math.max(...heights.map(({ height }) => height));
    for (const { member, height } of heights) {
      if (height <= best - LAG_BLOCKS) {
        if (height !== UNREACHABLE) logOnce(member, `it is ${best - height} blocks behind another node`);
        member.inSyncSince = null;
      } else member.inSyncSince ??= clock.now();
    }
  }

  async function probe(member: Member): Promise<{ readonly member: Member; readonly height: number }> {
    const limits = { timeoutMs: PROBE_TIMEOUT_MS };
    try {
      await confirmNetwork(member, limits);
      return { member, height: await member.endpoint.height(limits) };
    } catch (error) {
      putAside(member, error);
      return { member, height: UNREACHABLE };
    }
  }

  async function confirmNetwork(member: Member, limits?: { readonly timeoutMs: number }): Promise<void> {
    if (member.network === 'right') return;
    try {
      await member.endpoint.confirmNetwork(limits);
    } catch (error) {
      if (!(error instanceof TerminalError) || error.code !== 'WRONG_NETWORK') throw error;
      if (member.network !== 'wrong') log.error({ network, endpoint: member.endpoint.safeUrl }, error.message);
      member.network = 'wrong';
      throw error;
    }
    member.network = 'right';
  }

  /** Long in sync first, then recently recovered, then the others; within each, in list order. */
  function ranked(): Member[] {
    const right = members.filter((member) => member.network !== 'wrong');
    // If all serve the wrong network, check them all again: the setting or the node may be fixed.
    const candidates = right.length > 0 ? right : members;
    return candidates.toSorted((a, b) => rank(a) - rank(b));
  }

  function rank({ inSyncSince }: Member): number {
    if (inSyncSince === null) return 2;
    return clock.now() - inSyncSince >= RECOVERY_MS ? 0 : 1;
  }

  function pin(member: Member): void {
    if (pinned !== null && pinned !== member) {
      failovers += 1;
      log.info(
        { network, endpoint: member.endpoint.safeUrl, before: pinned.endpoint.safeUrl },
        'switched to another node',
      );
    }
    pinned = member;
  }

  function putAside(member: Member, cause: unknown): unknown {
    const error = failureOf(member.endpoint.safeUrl, cause);
    if (!isFailure(error) || !error.code.startsWith('NODE_')) return error;
    logOnce(member, error.message);
    member.inSyncSince = null;
    // After a failure this URL may be served by a different node.
    if (member.network === 'right') member.network = 'unknown';
    return error;
  }

  /** Logs once per outage; with a single endpoint the watcher itself reports it. */
  function logOnce(member: Member, reason: string): void {
    if (member.inSyncSince === null || members.length === 1) return;
    log.warn({ network, endpoint: member.endpoint.safeUrl, reason }, 'a node is out of sync');
  }

  function memberOf(endpoint: EvmEndpoint): Member | undefined {
    return members.find((member) => member.endpoint === endpoint);
  }

  return {
    heads,
    async current() {
      if (pinned === null) await heads();
      if (pinned === null) throw new Error('the chosen endpoint is missing');
      return pinned.endpoint;
    },
    other() {
      const isUsable = ({ network: found, inSyncSince }: Member) => found === 'right' && inSyncSince !== null;
      return members.find((member) => member !== pinned && isUsable(member))?.endpoint ?? null;
    },
    failed(endpoint, cause) {
      const member = memberOf(endpoint);
      if (member === undefined) return cause;
      const error = putAside(member, cause);
      const hasOther = members.some((other) => other !== member && other.network !== 'wrong');
      // An error that needs an operator on this endpoint may not occur on another one.
      if (!(error instanceof TerminalError) || !hasOther) return error;
      return new RetryableError(error.code, error.message, { cause: error });
    },
    status: () => ({ endpoint: (pinned ?? members[0])?.endpoint.safeUrl ?? '', failovers }),
  };
}

// Helpers

interface Member {
  readonly endpoint: EvmEndpoint;
  /** Null while it fails or lags. */
  inSyncSince: number | null;
  network: 'unknown' | 'right' | 'wrong';
}

/** An endpoint and the heads it returned. */
interface Responded {
  readonly member: Member;
  readonly found: EvmHeads;
}

const ALWAYS = Number.NEGATIVE_INFINITY;
const UNREACHABLE = Number.NEGATIVE_INFINITY;

/** Returns a retryable failure if there is one, so that the caller tries again. */
function mostHopeful(failures: readonly unknown[]): unknown {
  const passing = failures.filter((error) => error instanceof RetryableError);
  const [first] = passing;
  if (first === undefined) return failures[0];
  if (passing.length === 1) return first;
  return new RetryableError(first.code, passing.map(messageOf).join('; '), { cause: first });
}
