import { networkInterfaces, hostname as systemHostname } from 'node:os';
import { addressBytes, ipVersion, type Subnet } from './x509.ts';

/** What every server certificate of a jar is good for. */
const LOCAL_NAMES = ['localhost', '*.localhost', '127.0.0.1', '::1'];

/**
 * A CA that a developer trusts must be worthless to a thief: it speaks for this machine and for private networks, never
 * for an address on the Internet. Names that were asked for when it was made come on top.
 */
export const PERMITTED_DNS: readonly string[] = ['localhost'];
export const PERMITTED_IP: readonly Subnet[] = [
  { address: '127.0.0.0', prefix: 8 },
  { address: '10.0.0.0', prefix: 8 },
  { address: '172.16.0.0', prefix: 12 },
  { address: '192.168.0.0', prefix: 16 },
  { address: '::1', prefix: 128 },
  { address: 'fc00::', prefix: 7 },
];

export interface WantedNames {
  /** The certificate must have these. */
  readonly asked: readonly string[];
  /** The certificate has those of these that its CA may speak for. */
  readonly welcome: readonly string[];
}

/**
 * How a jar that listens on `host` may be called. The names of its public addresses are welcome and not asked for: a CA that clients
 * already trust is not replaced for their sake.
 */
export function wantedNames(
  host: string,
  extraNames: readonly string[] = [],
  publicUrls: readonly string[] = [],
): WantedNames {
  const listensEverywhere = host === '0.0.0.0' || host === '::';
  const asked = [...LOCAL_NAMES, ...(listensEverywhere ? [] : [host]), ...extraNames].map(normalize);
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => normalize(address)),
  );
  const reachable = listensEverywhere ? addresses.filter((each) => isPermitted(each, PERMITTED_DNS, PERMITTED_IP)) : [];
  const publicNames = publicUrls.map((url) => normalize(new URL(url).hostname.replace(/^\[|\]$/g, '')));
  const welcome = [normalize(systemHostname()), ...reachable, ...publicNames].filter(canBeName);
  return { asked: [...new Set(asked)].filter(canBeName), welcome: [...new Set(welcome)].sort() };
}

/** `a.b.localhost` and what is deeper: all that `*.localhost` does not stand for. A name has 253 characters at most, a label 63. */
const BELOW_LOCALHOST =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+localhost)$/;

/** The wildcard that covers a name below `localhost` and its neighbours: `*.westus.events.localhost`. */
export function wildcardBelowLocalhost(name: string): string | undefined {
  const parent = BELOW_LOCALHOST.exec(name.toLowerCase())?.[1];
  return parent && `*.${parent}`;
}

function normalize(name: string): string {
  return name.replace(/%.*$/, '').toLowerCase();
}

/** Host names with an underscore exist on some networks; certificates cannot carry them. */
function canBeName(name: string): boolean {
  return ipVersion(name) !== 0 || /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name);
}

export function isPermitted(name: string, dnsNames: readonly string[], subnets: readonly Subnet[]): boolean {
  if (ipVersion(name) !== 0) return subnets.some((subnet) => isInside(name, subnet));
  return dnsNames.some((permitted) => name === permitted || name.endsWith(`.${permitted}`));
}

function isInside(address: string, { address: network, prefix }: Subnet): boolean {
  const [a, b] = [toBits(address), toBits(network)];
  return a.length === b.length && a.slice(0, prefix) === b.slice(0, prefix);
}

function toBits(address: string): string {
  return Array.from(addressBytes(address), (byte) => byte.toString(2).padStart(8, '0')).join('');
}

/** What a CA must be allowed beyond the standing permissions in order to sign all that was asked for. */
export function extraPermissions(names: readonly string[]): { dns: string[]; ip: Subnet[] } {
  const missing = names.filter((name) => !isPermitted(name, PERMITTED_DNS, PERMITTED_IP));
  return {
    dns: missing.filter((name) => ipVersion(name) === 0).map((name) => name.replace(/^\*\./, '')),
    ip: missing
      .filter((name) => ipVersion(name) !== 0)
      .map((address) => ({ address, prefix: ipVersion(address) === 4 ? 32 : 128 })),
  };
}
