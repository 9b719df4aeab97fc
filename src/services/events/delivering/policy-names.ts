import type { Destination } from '../definition.ts';

export type EventPolicy = 'events.webhook' | 'events.resource';

/** By which events go to a destination: an address, or what a resource id names. */
export const policyFor = ({ endpointType }: Destination): EventPolicy =>
  endpointType === 'WebHook' ? 'events.webhook' : 'events.resource';

/** For eyes: where it goes is looked up when it is sent, secrets included. */
export const addressOf = ({ endpointType, properties }: Destination): string =>
  properties.endpointBaseUrl ?? `${endpointType}:${properties.resourceId ?? ''}`;
