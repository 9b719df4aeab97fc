import { Type } from 'typebox';
import {
  armFacts,
  isRegion,
  noRegisteredProvider,
  normalLocation,
  type Subscription,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { armCode, type ContainersCall } from '../jar.ts';
import { askEngine } from './ask-engine.ts';
import { capabilitiesIn, displayNameOf } from './capabilities.ts';
import { QUOTA_NAMES, QUOTAS } from './limits.ts';
import { CONTAINER_VERSIONS } from './version-table.ts';
import { NAMESPACE } from './versions.ts';

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

export const usages = armCode(['location'], {
  responses: { 200: listOf(Usage) },
  async handle(call, arm) {
    const region = regionOf(call, call.params.location, 'usages');
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
});

export const capabilities = armCode(['location'], {
  responses: { 200: listOf(Capability) },
  handle(call) {
    const region = regionOf(call, call.params.location, 'capabilities');
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
});

export const cachedImages = armCode(['location'], {
  responses: { 200: listOf(CachedImage) },
  async handle(call) {
    regionOf(call, call.params.location, 'cachedImages');
    return ok({ value: await askEngine(call.jar, (engine) => engine.cachedImages()) });
  },
});

function regionOf(call: ContainersCall, location: string, what: string): string {
  const region = normalLocation(location);
  if (isRegion(region)) return region;
  const { apiVersion: version } = armFacts(call);
  const resourceType = `${NAMESPACE}/locations/${what}`;
  const newestFirst = CONTAINER_VERSIONS.of(`locations/${what}`).names;
  throw noRegisteredProvider(call, { location, version, resourceType, newestFirst }, 'location');
}
