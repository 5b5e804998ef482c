import { BlockList } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/** The network interfaces of a host, in the form of `os.networkInterfaces`. */
export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/**
 * The addresses of this host on its networks. Loopback is not among them: it is private to the
 * host, and a block that names it is a choice, while an own address lies in larger blocks by
 * accident. Read anew each time, because addresses come and go while the service runs.
 */
export function ownAddresses(interfaces: Interfaces = networkInterfaces()): BlockList {
  const own = new BlockList();
  for (const { address, family, internal } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    if (!internal) own.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
  }
  return own;
}
