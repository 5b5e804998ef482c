import { BlockList } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** The network interfaces of a host, as `os.networkInterfaces` returns them. */
export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Reading the interfaces costs as much as a fifth of a POST; they hardly ever change. */
const MAX_AGE_MS = 1_000;

/**
 * The addresses of this host on its networks. Loopback is not included: it is private to the host,
 * and a block that names it is a choice, while the host's own address falls into larger blocks by
 * accident.
 */
export function ownAddresses(interfaces: Interfaces = networkInterfaces()): BlockList {
  const own = new BlockList();
  for (const { address, family, internal } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    if (!internal) own.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own;
}

/**
 * Returns a function that returns this host's addresses, read at most once a second, because they
 * can change while the service runs.
 */
export function createOwnAddresses(
  read: () => BlockList = ownAddresses,
  monotonicMs: () => number = () => performance.now(),
): () => BlockList {
  let known: { readonly own: BlockList; readonly readAt: number } | null = null;
  return () => {
    const now = monotonicMs();
    if (known === null || now - known.readAt >= MAX_AGE_MS) known = { own: read(), readAt: now };
    return known.own;
  };
}
