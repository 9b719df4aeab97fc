const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** The number of groups of an IPv6 address, out of eight, that identify the network; the owner of the network chooses the rest. */
const NETWORK_GROUPS = 4;

/**
 * The source of requests that an address represents, with one spelling for all forms of the address. For IPv6 it is the /64 network: an
 * owner of one address can use any number of others in the same network, and would otherwise be a new source with each.
 */
export function sourceOf(remoteAddress: string): string {
  if (!remoteAddress.includes(':')) return remoteAddress;
  const mapped = MAPPED.exec(remoteAddress)?.[1];
  if (mapped !== undefined || remoteAddress === '::1') return mapped ?? remoteAddress;
  const [address = ''] = remoteAddress.toLowerCase().split('%');
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = new Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
