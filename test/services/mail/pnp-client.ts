import '@pnp/graph/mail/index.js';
import '@pnp/graph/users/index.js';
import { DefaultHeaders, DefaultInit, graphfi } from '@pnp/graph';
import { BearerToken, BrowserFetch, DefaultParse } from '@pnp/queryable';
import type { Bench } from '../../support/jars.ts';

// biome-ignore lint/suspicious/noExplicitAny: the library adds members to types of modules by paths that Node's resolution does not find
export type PnpGraph = any;

/** A community client library (PnPjs), configured only with the endpoint and the credential. */
export async function pnpClient({ jar }: Bench, version: 'v1.0' | 'beta' = 'v1.0'): Promise<PnpGraph> {
  const token = await jar.token({ ttl: '365d' });
  const endpoint = `${jar.httpsUrl}/${version}`;
  return graphfi().using(DefaultInit(endpoint), DefaultHeaders(), BearerToken(token), BrowserFetch(), DefaultParse());
}
