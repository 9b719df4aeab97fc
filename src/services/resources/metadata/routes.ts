import { Type } from 'typebox';
import { knownOrigin } from '../../../kernel/auth/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { armRoute, type Call } from '../../../kernel/service/index.ts';
import { DOCUMENTS } from './documents.ts';

/** Endpoints of this cloud, which command lines and infrastructure tools read first and without a token. */
export const metadataRoutes: readonly Route[] = [
  armRoute({
    method: 'GET',
    path: '/metadata/endpoints',
    operation: 'Metadata_Endpoints',
    summary: 'The endpoints of this cloud, for tools that register it',
    open: true,
    action: 'Vendor.Resources/metadata/read',
    apiVersions: [...DOCUMENTS.keys()],
    tenantLevel: true,
    responses: { 200: Type.Union([Type.Object({}), Type.Array(Type.Object({}))]) },
    handle: (call, { apiVersion }) => ok(DOCUMENTS.get(apiVersion)?.(secureOrigin(call))),
  }),
];

/**
 * Uses the host name by which the caller reached the jar. Sign-in libraries refuse plain HTTP, so a caller over HTTP gets the HTTPS
 * address.
 */
function secureOrigin(call: Call): string {
  const url = new URL(knownOrigin(call));
  return url.protocol === 'https:' ? url.origin : `https://${url.hostname}:${call.jar.addresses.httpsPort}`;
}
