import type { Destination } from '../definition.ts';

export type EventPolicy = 'events.webhook' | 'events.resource';

/** Delivery policy of a destination: one for web hook addresses, one for resource ids. */
export const policyFor = ({ endpointType }: Destination): EventPolicy =>
  endpointType === 'WebHook' ? 'events.webhook' : 'events.resource';

/** For display only: the address of a message is looked up when it is sent, secrets included. */
export const addressOf = ({ endpointType, properties }: Destination): string =>
  properties.endpointBaseUrl ?? `${endpointType}:${properties.resourceId ?? ''}`;
