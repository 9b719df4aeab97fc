import { networkInterfaces, hostname as systemHostname } from 'node:os';
import { addressBytes, ipVersion, type Subnet } from './x509.ts';

/** The names in every server certificate of a jar. */
const LOCAL_NAMES = ['localhost', '*.localhost', '127.0.0.1', '::1'];

/**
 * A CA that developers trust must be useless to a thief: it may sign only for this machine and for private networks, never for public
 * addresses. Names that were requested when it was created are permitted additionally.
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
  /** The certificate must contain these names. */
  readonly asked: readonly string[];
  /** The certificate contains those of these names that its CA may sign for. */
  readonly welcome: readonly string[];
}

/**
 * The names of a jar that listens on `host`. Names of its public addresses are optional: a CA that clients already trust is not replaced
 * because of them.
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

/** `a.b.localhost` and deeper: names that `*.localhost` does not match. A name has at most 253 characters, a label 63. */
const BELOW_LOCALHOST =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+localhost)$/;

/** The wildcard for a name below `localhost` and its siblings: `*.westus.events.localhost`. */
export function wildcardBelowLocalhost(name: string): string | undefined {
  const parent = BELOW_LOCALHOST.exec(name.toLowerCase())?.[1];
  return parent && `*.${parent}`;
}

function normalize(name: string): string {
  return name.replace(/%.*$/, '').toLowerCase();
}

/** Host names with an underscore exist on some networks, but are not allowed in certificates. */
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

/** The permissions that a CA needs, beyond the standard ones, to sign all requested names. */
export function extraPermissions(names: readonly string[]): { dns: string[]; ip: Subnet[] } {
  const missing = names.filter((name) => !isPermitted(name, PERMITTED_DNS, PERMITTED_IP));
  return {
    dns: missing.filter((name) => ipVersion(name) === 0).map((name) => name.replace(/^\*\./, '')),
    ip: missing
      .filter((name) => ipVersion(name) !== 0)
      .map((address) => ({ address, prefix: ipVersion(address) === 4 ? 32 : 128 })),
  };
}
