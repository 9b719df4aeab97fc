const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** Of the eight groups of an address, those that a network is known by; the others are its own to choose. */
const NETWORK_GROUPS = 4;

/**
 * Whom an address stands for, one name for all forms of it. Of IPv6 that is the network of 64 bits: whoever has one address has
 * as many as he likes of the same network, and would be a stranger with each.
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
