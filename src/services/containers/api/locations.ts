import { Type } from 'typebox';
import type { Subscription } from '../../../kernel/arm/collections.ts';
import { gatewayErrors } from '../../../kernel/arm/errors.ts';
import { normalLocation } from '../../../kernel/arm/ids.ts';
import { isRegion, regionNames } from '../../../kernel/arm/locations.ts';
import { withPrefix } from '../../../kernel/arm/resource-view.ts';
import { armRoute } from '../../../kernel/arm/route.ts';
import { ok, type Route } from '../../../kernel/http/route.ts';
import { askEngine } from './ask-engine.ts';
import { capabilitiesIn, displayNameOf } from './capabilities.ts';
import { QUOTA_NAMES, QUOTAS } from './limits.ts';
import { API_VERSIONS } from './versions.ts';

const NAMESPACE = 'Vendor.ContainerInstance';
const LOCATION = `/subscriptions/{subscriptionId}/providers/${NAMESPACE}/locations/{location}` as const;
const common = { method: 'GET', resourceType: `${NAMESPACE}/locations`, apiVersions: API_VERSIONS } as const;

const listOf = (item: ReturnType<typeof Type.Object>) => Type.Object({ value: Type.Array(item) });

const Usage = Type.Object({
  id: Type.String(),
  unit: Type.Literal('Count'),
  currentValue: Type.Integer(),
  limit: Type.Integer(),
  name: Type.Object({ value: Type.String(), localizedValue: Type.String() }),
});

const Capability = Type.Object({
  resourceType: Type.Literal('containerGroups'),
  osType: Type.String(),
  location: Type.String(),
  ipAddressType: Type.String(),
  gpu: Type.String(),
  capabilities: Type.Object({ maxMemoryInGB: Type.Number(), maxCpu: Type.Number(), maxGpuCount: Type.Number() }),
});

const CachedImage = Type.Object({ osType: Type.String(), image: Type.String() });

/** What there is in a region, and what is left of it. */
export const locationRoutes: readonly Route[] = [
  armRoute({
    ...common,
    path: `${LOCATION}/usages`,
    operation: 'Location_ListUsage',
    summary: 'What a subscription uses in a region, and what it may',
    action: `${NAMESPACE}/locations/usages/read`,
    responses: { 200: listOf(Usage) },
    async handle(call, arm) {
      const region = regionOf(call.params.location, arm.apiVersion, 'usages');
      const { subscriptionId } = arm.subscription as Subscription;
      const scope = [subscriptionId.toLowerCase(), region];
      const id = `/subscriptions/${subscriptionId}/providers/${NAMESPACE}/locations/${region}/usages`;
      const value = QUOTA_NAMES.map(async (name) => {
        const { limit, title } = QUOTAS[name];
        const { used, maximum } = await call.jar.limits.quotaStanding(limit, scope);
        return {
          id: withPrefix(`${id}/${name}`, arm.prefix),
          unit: 'Count',
          currentValue: used,
          limit: maximum,
          name: { value: name, localizedValue: title },
        };
      });
      return ok({ value: await Promise.all(value) });
    },
  }),
  armRoute({
    ...common,
    path: `${LOCATION}/capabilities`,
    operation: 'Location_ListCapabilities',
    summary: 'How large groups may be in a region',
    action: `${NAMESPACE}/locations/capabilities/read`,
    responses: { 200: listOf(Capability) },
    handle(call, arm) {
      const region = regionOf(call.params.location, arm.apiVersion, 'capabilities');
      const value = capabilitiesIn(region).map(({ osType, ipAddressType, gpu, ...capabilities }) => ({
        resourceType: 'containerGroups',
        osType,
        location: displayNameOf(region),
        ipAddressType,
        gpu,
        capabilities,
      }));
      return ok({ value });
    },
  }),
  armRoute({
    ...common,
    path: `${LOCATION}/cachedImages`,
    operation: 'Location_ListCachedImages',
    summary: 'The images that the engine has already',
    action: `${NAMESPACE}/locations/cachedImages/read`,
    responses: { 200: listOf(CachedImage) },
    async handle(call, arm) {
      regionOf(call.params.location, arm.apiVersion, 'cachedImages');
      return ok({ value: await askEngine(call.jar, (engine) => engine.cachedImages()) });
    },
  }),
];

function regionOf(location: string, version: string, what: string): string {
  const region = normalLocation(location);
  if (isRegion(region)) return region;
  const supported = API_VERSIONS.join(',');
  throw gatewayErrors.NoRegisteredProviderFound(
    { location, version, type: `locations/${what}`, supported, locations: regionNames() },
    { target: 'location' },
  );
}
