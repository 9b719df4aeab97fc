import type { ApiError } from '../http/errors.ts';
import { authenticate } from './authenticate.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { queryValue } from './gateway.ts';
import { canonicalNamespace, parseScope } from './ids.ts';
import type { ArmCall } from './route.ts';

/** Addresses of the management API. */
const MANAGEMENT = /^\/(?:subscriptions|providers|tenants)(?:$|\/)/i;

/** A management address that no route has: the gateway says which part of it is unknown. */
export async function unmatched(call: ArmCall): Promise<ApiError | undefined> {
  await authenticate(call);
  // A misspelt address of another API comes here as well, and its caller would look for a version that this API does not have.
  if (!MANAGEMENT.test(call.path) && !/\/providers\//i.test(call.path)) return undefined;
  if (queryValue(call, 'api-version') === undefined)
    return gatewayErrors.MissingApiVersionParameter({}, { headers: GATEWAY_FAILURE });
  const { provider } = parseScope(call.path);
  if (!provider) return undefined;
  const namespace = canonicalNamespace(provider.namespace, call.jar.config.namespace);
  const known = call.jar.providers.find((it) => it.namespace.toLowerCase() === namespace.toLowerCase());
  if (!known)
    return gatewayErrors.InvalidResourceNamespace({ namespace: provider.namespace }, { headers: GATEWAY_FAILURE });
  const type = provider.types.join('/');
  if (type === '' || known.types.some((it) => it.name.toLowerCase() === type.toLowerCase())) return undefined;
  return gatewayErrors.InvalidResourceType(
    { type, namespace: provider.namespace, versions: '' },
    { headers: GATEWAY_FAILURE },
  );
}
