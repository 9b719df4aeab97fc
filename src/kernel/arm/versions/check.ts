import { ApiError } from '../../http/errors.ts';
import { readCached } from '../../store/read-cached.ts';
import { resourceGroups, resources } from '../collections.ts';
import { GATEWAY_FAILURE, gatewayErrors } from '../errors.ts';
import { authorize, queryValue, subscriptionOf } from '../gateway.ts';
import { groupPath, parseScope, pathId, resourceKey } from '../ids.ts';
import { regionNames } from '../locations.ts';
import { withPrefix } from '../resource-view.ts';
import { type ArmCall, type ArmFacts, armFacts, armTraits } from '../route.ts';
import { spokenPrefix } from '../spoken-prefix.ts';
import { VersionView } from './view.ts';

/** Finds the api-version of a call and that version's view of the type. */
export function checkApiVersion(call: ArmCall): Promise<void> | undefined {
  const { versions } = armTraits(call);
  const version = queryValue(call, 'api-version');
  if (version === undefined || version === '')
    throw gatewayErrors.MissingApiVersionParameter({}, { headers: GATEWAY_FAILURE });
  const view = versions ? versions.find(version) : new VersionView(version);
  const facts: ArmFacts = {
    apiVersion: version,
    view: view ?? new VersionView(version),
    prefix: spokenPrefix(call),
    subscription: undefined,
    group: undefined,
    managementGroup: undefined,
    recorded: false,
  };
  call.facts.arm = facts;
  return view ? undefined : refuse(call, version, versions?.names ?? []);
}

async function refuse(call: ArmCall, version: string, newestFirst: readonly string[]): Promise<void> {
  const { resourceType, shows } = armTraits(call);
  if (resourceType === undefined) {
    const supported = newestFirst.join(',');
    throw gatewayErrors.InvalidApiVersionParameter({ version, supported }, { headers: GATEWAY_FAILURE });
  }
  if (shows !== 'list') throw await noProvider(call, version, resourceType, newestFirst);
  const slash = resourceType.indexOf('/');
  const namespace = withPrefix(resourceType.slice(0, slash), armFacts(call).prefix);
  const supported = ascending(newestFirst).join(',');
  const versions = ` for api version '${version}'. The supported api-versions are '${supported}'`;
  const type = resourceType.slice(slash + 1);
  throw gatewayErrors.InvalidResourceType({ type, namespace, versions, hint: '' }, { headers: GATEWAY_FAILURE });
}

async function noProvider(
  call: ArmCall,
  version: string,
  resourceType: string,
  newestFirst: readonly string[],
): Promise<ApiError> {
  const location = call.params.location ?? (await regionOf(call)) ?? '';
  return noRegisteredProvider(call, { location, version, resourceType, newestFirst });
}

interface Unregistered {
  readonly location: string;
  readonly version: string;
  readonly resourceType: string;
  readonly newestFirst: readonly string[];
}

/** The error for a version or region in which a type is not available. */
export function noRegisteredProvider(
  { jar }: Pick<ArmCall, 'jar'>,
  { location, version, resourceType, newestFirst }: Unregistered,
  target?: string,
): ApiError {
  const slash = resourceType.indexOf('/');
  const type = resourceType.slice(slash + 1);
  const provider = jar.providers.find(({ namespace }) => namespace === resourceType.slice(0, slash));
  const regions = provider?.types.find(({ name }) => name === type)?.locations ?? regionNames().split(',');
  return gatewayErrors.NoRegisteredProviderFound(
    { location, version, type, supported: ascending(newestFirst).join(', '), locations: regions.join(', ') },
    { headers: GATEWAY_FAILURE, ...(target !== undefined && { target }) },
  );
}

const ascending = (names: readonly string[]): string[] => [...names].sort();

/** The resource that a path names, or below which it is. */
const RESOURCE = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+/i;

/**
 * The region of the resource that a path names, or of its group. The version is checked before roles are, so the region is revealed only to
 * callers that may read the resource. The body is not read yet.
 */
async function regionOf(call: ArmCall): Promise<string | undefined> {
  const { store, config } = call.jar;
  try {
    const subscription = await subscriptionOf(call);
    if (!subscription) return undefined;
    await authorize(call, subscription);
    const path = pathId(call.path);
    const id = RESOURCE.exec(path)?.[0];
    const resource = id && (await readCached(store, resources, resourceKey(id, config.namespace)));
    if (resource) return resource.value.location;
    const { resourceGroup } = parseScope(path);
    if (resourceGroup === undefined) return undefined;
    const key = groupPath(subscription.subscriptionId, resourceGroup).toLowerCase();
    return (await readCached(store, resourceGroups, key))?.value.location;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
