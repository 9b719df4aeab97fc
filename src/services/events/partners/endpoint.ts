import { asJson } from '../../../kernel/arm/body/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { EventsCall } from '../jar.ts';
import { baseOf } from '../subscriptions/read/endpoint-url.ts';
import { invalid } from '../topics/body.ts';
import type { EndpointBody } from './body.ts';
import type { Channel } from './collections.ts';

const LONGEST_URL = 8192;

interface Endpoint {
  readonly base: string;
  /** `properties` of a partner destination's info; the address itself is returned only by `getFullUrl`. */
  readonly shown: { readonly [name: string]: Json | undefined };
  readonly sealed: string;
  readonly client?: NonNullable<Channel['client']>;
}

/**
 * Reads the endpoint of a partner destination. A client may send back what a GET returned, without the address: the endpoint is then
 * unchanged.
 */
export function readEndpoint(
  { jar }: Pick<EventsCall, 'jar'>,
  sent: EndpointBody,
  existing: Channel | undefined,
  at: string,
): Endpoint {
  const { endpointUrl, endpointBaseUrl, clientAuthentication } = sent;
  const known = existing?.sealed === undefined ? undefined : jar.vault.tryOpen(existing.sealed);
  const isAsItWas = endpointUrl === undefined && known !== undefined;
  if (isAsItWas && endpointBaseUrl !== undefined && endpointBaseUrl !== baseOf(known))
    throw invalid(`${at}.properties.endpointBaseUrl`, 'it differs from the current endpoint; send endpointUrl');
  const url = (isAsItWas ? known : (endpointUrl ?? '')).trim();
  const parsed = url.length > LONGEST_URL ? null : URL.parse(url);
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && jar.outbound.guard.mayUseHttp(parsed));
  if (!parsed || parsed.hostname === '' || !isSafe)
    throw invalid(`${at}.properties.endpointUrl`, 'it has to be an absolute address with https');
  const base = baseOf(url);
  const authentication = clientAuthentication && { clientAuthentication: asJson(clientAuthentication) };
  const by = clientAuthentication?.properties;
  const client = by && {
    tenantId: by.azureActiveDirectoryTenantId,
    audience: by.azureActiveDirectoryApplicationIdOrUri,
  };
  const shown = { endpointUrl: null, endpointBaseUrl: base, ...authentication };
  return { base, shown, sealed: jar.vault.seal(url), ...(client && { client }) };
}
