import { Client, type ClientOptions } from '@microsoft/microsoft-graph-client';
import type { Bench } from '../../support/jars.ts';

export interface GraphOptions {
  /** Alias of the user; the default is the administrator. */
  readonly user?: string;
  readonly version?: 'v1.0' | 'beta';
  readonly scopes?: readonly string[];
}

/** The official client, configured only with the endpoint, the credential and the certificate authority that the process trusts. */
export async function graphClient(
  { jar }: Bench,
  { user = 'admin', version = 'v1.0', scopes }: GraphOptions = {},
): Promise<Client> {
  const token = await jar.token({ user, ttl: '365d', ...(scopes && { scope: scopes.join(' ') }) });
  const options: ClientOptions = {
    baseUrl: jar.httpsUrl,
    defaultVersion: version,
    customHosts: new Set([new URL(jar.httpsUrl).hostname]),
    authProvider: { getAccessToken: () => Promise.resolve(token) } as never,
  };
  return Client.initWithMiddleware(options);
}
