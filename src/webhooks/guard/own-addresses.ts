import { BlockList } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** The network interfaces of a host, as `os.networkInterfaces` returns them. */
export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/**
 * The addresses of this host on its networks. Loopback is not included: it is private to the host,
 * and a block that names it is a choice, while the host's own address falls into larger blocks by
 * accident. Read on every call, because addresses change while the service runs.
 */
export function ownAddresses(interfaces: Interfaces = networkInterfaces()): BlockList {
  const own = new BlockList();
  for (const { address, family, internal } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    if (!internal) own.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own;
}
