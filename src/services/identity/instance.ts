import { Type } from 'typebox';
import { knownOrigin } from '../../kernel/auth/index.ts';
import { ok, type Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { identityErrors } from './errors.ts';
import { route } from './family.ts';

const Cloud = Type.Object({ aliases: Type.Array(Type.String()) });

/**
 * Instance discovery: libraries ask here whether an authority can be trusted before they send a user there. A jar is its own cloud and
 * confirms only itself.
 */
export const instanceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/common/discovery/instance',
    operation: 'Identity_Instance',
    summary: 'Confirms that this host is its own cloud, with the address of the discovery document',
    open: true,
    query: Type.Object({ authorization_endpoint: Type.Optional(Type.String()) }),
    traits: { cors: true },
    responses: { 200: Type.Object({ tenant_discovery_endpoint: Type.String(), metadata: Type.Array(Cloud) }) },
    handle: (call) => {
      const { origin, tenant } = authorityOf(call, call.query.authorization_endpoint);
      const { host, hostname } = new URL(origin);
      return ok({
        tenant_discovery_endpoint: `${origin}/${tenant}/v2.0/.well-known/openid-configuration`,
        'api-version': '1.1',
        // Some libraries use the host with its port, others only the host name.
        metadata: [{ preferred_network: host, preferred_cache: host, aliases: [...new Set([host, hostname])] }],
      });
    },
  }),
];

interface AskedAuthority {
  readonly origin: string;
  readonly tenant: string;
}

/**
 * If the address of the public cloud resolves to the jar, libraries ask it about all clouds and send that address whatever their authority
 * is. The jar always answers with itself.
 */
const WORLD_WIDE: ReadonlySet<string> = new Set(['login.microsoftonline.com']);

function authorityOf(call: Call, endpoint: string | undefined): AskedAuthority {
  const own = knownOrigin(call);
  if (endpoint === undefined || endpoint === '') return { origin: own, tenant: 'common' };
  const url = URL.parse(endpoint);
  const tenant = url?.pathname.split('/')[1];
  if (!url || !tenant) throw identityErrors.InvalidInstance({ instance: endpoint });
  if (WORLD_WIDE.has(url.hostname)) return { origin: own, tenant };
  const named = knownOrigin({ origin: url.origin, secure: url.protocol === 'https:', jar: call.jar });
  // `knownOrigin` answers an unknown host name with another one.
  if (new URL(named).hostname !== url.hostname) throw identityErrors.InvalidInstance({ instance: url.host });
  return { origin: originOf(call, url, named), tenant };
}

/**
 * Some libraries omit the port in this request, so it is added, except for configured addresses and for the address that the caller used.
 */
function originOf(call: Call, asked: URL, named: string): string {
  const own = new URL(knownOrigin(call));
  if (asked.port !== '' || named !== asked.origin) return named;
  if (own.hostname === asked.hostname) return own.origin;
  const configured = call.jar.config.publicUrl.some((url) => new URL(url).origin === named);
  if (configured) return named;
  const { httpPort, httpsPort } = call.jar.addresses;
  return `${named}:${asked.protocol === 'https:' ? httpsPort : httpPort}`;
}
