import { isIP } from 'node:net';
import { networkInterfaces, hostname as systemHostname } from 'node:os';
import { isPermitted, PERMITTED_DNS, PERMITTED_IP } from '../tls/names.ts';

/** The names of a jar in its configuration. */
export interface KnownNames {
  readonly host: string;
  readonly publicUrl: readonly string[];
}

interface AskedCall {
  /** From the client's `Host` header. */
  readonly origin: string;
  readonly secure: boolean;
  readonly jar: {
    readonly config: KnownNames;
    readonly addresses: { readonly httpPort: number; readonly httpsPort: number };
    readonly audiences: ReadonlySet<string>;
  };
}

/** Suffixes that cannot be registered on the Internet; in a private network they name its own machines. */
const NETWORK_SUFFIXES: readonly (readonly [suffix: string, source: string])[] = [
  ['.local', 'RFC 6762'],
  ['.home.arpa', 'RFC 8375'],
  ['.internal', 'ICANN, reserved for private use'],
  ['.test', 'RFC 6761'],
];

/**
 * The origin to use in responses that say whom to trust: token issuer, key and sign-in URLs. A client chooses its `Host` header, so an
 * attacker who makes another client read a response with the attacker's host in it (through a shared cache, or a name bound to this
 * machine) could collect passwords and codes. Therefore only names of the jar are repeated; for any other host one of the jar's own names
 * is used.
 */
export function knownOrigin({ origin, secure, jar }: AskedCall): string {
  const host = URL.parse(origin)?.hostname ?? '';
  const address = publicAddress(origin, jar.config);
  if (address !== undefined) return address;
  if (isKnown(host.replace(/^\[|\]$/g, ''), jar)) return origin;
  const [configured] = jar.config.publicUrl;
  if (configured !== undefined) return new URL(configured).origin;
  const { httpPort, httpsPort } = jar.addresses;
  return `${secure ? 'https' : 'http'}://localhost:${secure ? httpsPort : httpPort}`;
}

/**
 * The configured URL that a client used, found by host and port. Its scheme is used, not that of the connection: a proxy that terminates
 * TLS connects over plain HTTP, and its clients must not be told to send passwords over plain HTTP.
 */
function publicAddress(origin: string, { publicUrl }: KnownNames): string | undefined {
  const afterScheme = origin.slice(origin.indexOf(':'));
  return publicUrl
    .map((url) => new URL(url))
    .find(({ protocol, host }) => URL.parse(protocol.slice(0, -1) + afterScheme)?.host === host)?.origin;
}

function isKnown(host: string, { config, audiences }: AskedCall['jar']): boolean {
  if (isPermitted(host, PERMITTED_DNS, PERMITTED_IP)) return true;
  const listening = config.host.toLowerCase();
  if (host === listening || config.publicUrl.some((url) => URL.parse(url)?.hostname === host)) return true;
  if (audiences.has(`https://${host}`)) return true;
  return !isPermitted(listening, PERMITTED_DNS, LOOPBACK) && isOfTheNetwork(host);
}

const LOOPBACK = PERMITTED_IP.filter(({ address }) => address === '127.0.0.0' || address === '::1');

/**
 * Names by which other machines may reach a jar that listens beyond loopback, as far as the jar can know them: a name of one label belongs
 * to a container or to this machine.
 */
function isOfTheNetwork(host: string): boolean {
  if (isIP(host) !== 0) {
    return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === host));
  }
  if (!host.includes('.')) return true;
  return host === systemHostname().toLowerCase() || NETWORK_SUFFIXES.some(([suffix]) => host.endsWith(suffix));
}
