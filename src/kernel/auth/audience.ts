/** The audience of a token that every service of the jar takes; only the control API hands such tokens out. */
export const ANY_AUDIENCE = 'urn:cloudjar:any';

/** Audiences are compared as resource identifiers usually are: without regard to case or to a final slash. */
export const normalAudience = (audience: string): string => audience.toLowerCase().replace(/\/+$/, '');

/** What a jar says of how it is reached, and by which names tokens call it. */
export interface Reachable {
  readonly addresses: { readonly httpPort: number; readonly httpsPort: number };
  /** The resource identifiers that tokens can be asked for, of all services. */
  readonly audiences: ReadonlySet<string>;
  readonly config: { readonly publicUrl: readonly string[] };
}

/** Whether `audience` is an address of this jar: the one the caller used, a public one, or a loopback name with one of its ports. */
export function isOwnOrigin(
  audience: string,
  usedOrigin: string,
  { addresses, audiences, config }: Reachable,
): boolean {
  const wanted = normalAudience(audience);
  // A client chooses its Host header; it must not make another service's audience into ours.
  if (wanted === usedOrigin) return !audiences.has(wanted);
  const url = URL.parse(wanted);
  if (url?.pathname !== '/' || url.search !== '') return false;
  if (config.publicUrl.some((address) => new URL(address).origin === url.origin)) return true;
  const loopback = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return loopback && [addresses.httpPort, addresses.httpsPort].includes(Number(url.port));
}
