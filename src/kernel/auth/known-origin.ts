import { isIP } from 'node:net';
import { networkInterfaces, hostname as systemHostname } from 'node:os';
import { isPermitted, PERMITTED_DNS, PERMITTED_IP } from '../tls/names.ts';

/** What the configuration says of the names of a jar. */
export interface KnownNames {
  readonly host: string;
  readonly publicUrl: readonly string[];
}

interface AskedCall {
  /** As the `Host` header of the client says. */
  readonly origin: string;
  readonly secure: boolean;
  readonly jar: {
    readonly config: KnownNames;
    readonly addresses: { readonly httpPort: number; readonly httpsPort: number };
    readonly audiences: ReadonlySet<string>;
  };
}

/** Suffixes that nobody can register on the Internet; on a network of one's own they name machines of that network. */
const NETWORK_SUFFIXES: readonly (readonly [suffix: string, source: string])[] = [
  ['.local', 'RFC 6762'],
  ['.home.arpa', 'RFC 8375'],
  ['.internal', 'ICANN, reserved for private use'],
  ['.test', 'RFC 6761'],
];

/**
 * The origin to name where clients are told whom to trust: who issues tokens, where keys are, where to sign in. A client chooses its `Host`
 * header, and whoever gets another to read an answer with a name of his own in it (a shared cache, a name bound to this machine) could send
 * passwords and codes there. So only names of the jar are repeated; any other is answered with one of them.
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
 * The configured address that a client used, going by host and port. Its scheme counts, not that of the connection: a proxy that ends TLS asks by
 * plain http, and its clients must not be told to send their passwords so.
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

/** How others reach a jar that listens beyond this machine, as far as it can know: a name of one label is one of containers, or of this machine. */
function isOfTheNetwork(host: string): boolean {
  if (isIP(host) !== 0) {
    return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === host));
  }
  if (!host.includes('.')) return true;
  return host === systemHostname().toLowerCase() || NETWORK_SUFFIXES.some(([suffix]) => host.endsWith(suffix));
}
