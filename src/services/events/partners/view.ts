import { type ArmFacts, armFacts, type Resource, withPrefix } from '../../../kernel/arm/index.ts';
import { trackedView } from '../answers.ts';
import type { EventsCall } from '../jar.ts';
import { endpointOf } from '../topics/view.ts';

/** From this version on answers have `systemData`; older versions have null there. */
const FIRST_WITH_SYSTEM_DATA = '2022-06-15';

export const saysSystemData = ({ apiVersion }: Pick<ArmFacts, 'apiVersion'>): boolean =>
  apiVersion.toLowerCase() >= FIRST_WITH_SYSTEM_DATA;

/** A partner's or customer's resource on the wire. */
export function partnerView(
  resource: Resource,
  prefix: string,
  _full: boolean,
  _companion: undefined,
  call: EventsCall,
): Record<string, unknown> {
  const systemData = saysSystemData(armFacts(call)) ? resource.extra.systemData : null;
  return trackedView(resource, prefix, { properties: resource.properties, systemData });
}

/** Computed members appear only from the GET on. */
export function namespaceView(
  resource: Resource,
  prefix: string,
  full: boolean,
  companion: undefined,
  call: EventsCall,
): Record<string, unknown> {
  const { provisioningState, partnerRegistrationFullyQualifiedId: registration, ...rest } = resource.properties;
  const isPut = call.method === 'PUT';
  return {
    ...partnerView(resource, prefix, full, companion, call),
    ...(isPut && { systemData: null }),
    properties: {
      provisioningState,
      partnerRegistrationFullyQualifiedId: withPrefix(String(registration), prefix),
      endpoint: isPut ? null : endpointOf(resource, call),
      ...(!isPut && { publicNetworkAccess: 'Enabled' }),
      ...rest,
    },
  };
}
