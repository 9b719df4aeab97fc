/** Audience of tokens that every service of the jar accepts; only the control API issues them. */
export const ANY_AUDIENCE = 'urn:cloudjar:any';

/** Audiences are compared without case and without trailing slashes, as usual for resource identifiers. */
export const normalAudience = (audience: string): string => audience.toLowerCase().replace(/\/+$/, '');

/** How a jar is reached: its ports, its public URLs, and the audiences of its tokens. */
export interface Reachable {
  readonly addresses: { readonly httpPort: number; readonly httpsPort: number };
  /** Resource identifiers of all services, for which tokens can be requested. */
  readonly audiences: ReadonlySet<string>;
  readonly config: { readonly publicUrl: readonly string[] };
}

/** Whether `audience` is a URL of this jar: the one that the caller used, a public one, or a loopback name with one of its ports. */
export function isOwnOrigin(
  audience: string,
  usedOrigin: string,
  { addresses, audiences, config }: Reachable,
): boolean {
  const wanted = normalAudience(audience);
  // The client chooses its Host header, and must not be able to pass off another service's audience as the jar's own.
  if (wanted === usedOrigin) return !audiences.has(wanted);
  const url = URL.parse(wanted);
  if (url?.pathname !== '/' || url.search !== '') return false;
  if (config.publicUrl.some((address) => new URL(address).origin === url.origin)) return true;
  const loopback = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return loopback && [addresses.httpPort, addresses.httpsPort].includes(Number(url.port));
}
