import {
  type ArmFacts,
  type Provider,
  REGIONS,
  REGISTRATION_FREE,
  type Subscription,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { authorizationOf } from './authorizations.ts';

type DeclaredType = Provider['types'][number];

/** The document of a provider. Without a subscription it has no registration state. */
export function providerView(provider: Provider, { prefix, subscription }: ArmFacts): Record<string, unknown> {
  const namespace = withPrefix(provider.namespace, prefix);
  const key = provider.namespace.toLowerCase();
  const isFree = REGISTRATION_FREE.has(key);
  return {
    id: `${subscription ? `/subscriptions/${subscription.subscriptionId}` : ''}/providers/${namespace}`,
    namespace,
    // If there are several authorizations, the real service lists them under this name.
    authorization: authorizationOf(provider.namespace),
    resourceTypes: provider.types.map(typeView),
    ...(subscription && { registrationState: isFree ? 'Registered' : registrationOf(subscription, key) }),
    registrationPolicy: isFree ? 'RegistrationFree' : 'RegistrationRequired',
  };
}

const registrationOf = ({ registrations }: Subscription, key: string): string => registrations[key] ?? 'NotRegistered';

function typeView(type: DeclaredType): Record<string, unknown> {
  const { name, apiVersions, apiProfiles } = type;
  return {
    resourceType: name,
    locations: displayNames(type),
    ...zoneMappingsOf(type),
    apiVersions,
    defaultApiVersion: defaultVersion(apiVersions),
    ...(apiProfiles && { apiProfiles }),
    capabilities: capabilitiesOf(type),
  };
}

/** The row of `GET …/providers/{namespace}/resourceTypes`: the same data under other names. */
export function listedType(type: DeclaredType): Record<string, unknown> {
  const { name, apiVersions } = type;
  return {
    resourceType: name,
    locationMappings: displayNames(type).map((location) => ({ location })),
    aliases: [],
    apiVersions,
    defaultApiVersion: defaultVersion(apiVersions),
    ...zoneMappingsOf(type),
    capabilities: capabilitiesOf(type),
    properties: {},
  };
}

/** The version that tools choose: the newest stable version, or the newest preview if there is no stable one. */
const defaultVersion = (newestFirst: readonly string[]): string | undefined =>
  newestFirst.find((version) => !version.endsWith('-preview')) ?? newestFirst[0];

function capabilitiesOf({ capabilities, tracked }: DeclaredType): string {
  const words = capabilities ?? (tracked ? ['SupportsTags', 'SupportsLocation'] : []);
  return words.length === 0 ? 'None' : words.join(', ');
}

const displayNames = ({ locations }: DeclaredType): string[] =>
  locations ? locations.map(displayName) : REGIONS.map((region) => region.displayName);

const displayName = (name: string): string => REGIONS.find((region) => region.name === name)?.displayName ?? name;

function zoneMappingsOf({ zonal, locations }: DeclaredType): Record<string, unknown> {
  if (!zonal) return {};
  const offered = REGIONS.filter(({ name, zones }) => zones && (locations?.includes(name) ?? true));
  return { zoneMappings: offered.map((region) => ({ location: region.displayName, zones: ['1', '2', '3'] })) };
}
