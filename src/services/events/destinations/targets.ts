import type { DeadLetterMessage, ResourceMessage } from './messages.ts';

/** Default time to live of a message in a storage queue, as in the storage service. */
export const DEFAULT_TTL_SECONDS = 7 * 24 * 3600;

/** Destination of a message, whichever connection serves it. */
export interface Target {
  readonly endpointType: string;
  /** Id of the queue, topic, hub, container …; for an alert, id of the event subscription. */
  readonly entityId: string;
  readonly name: string;
}

export function targetOf({ destination: { endpointType, properties }, owner }: ResourceMessage): Target {
  const { resourceId = owner, queueName } = properties;
  const entityId =
    endpointType === 'StorageQueue' && queueName !== undefined
      ? `${accountOf(resourceId)}/queueServices/default/queues/${queueName}`
      : resourceId;
  return { endpointType, entityId, name: lastOf(entityId) };
}

export function deadLetterTarget({ resourceId, container }: DeadLetterMessage): Target {
  const account = accountOf(resourceId);
  const entityId = `${account}/blobServices/default/containers/${container}`;
  return { endpointType: 'StorageBlob', entityId, name: `${lastOf(account)}/${container}` };
}

/** Some clients also name the queue or the container in the id. */
const accountOf = (id: string): string => id.replace(/\/(?:queue|blob)services\/.*$/i, '').replace(/\/+$/, '');

const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);
