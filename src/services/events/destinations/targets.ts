import type { DeadLetterMessage, ResourceMessage } from './messages.ts';

/** Of the messages of a storage queue, where a subscription does not say otherwise: what the storage service takes. */
export const DEFAULT_TTL_SECONDS = 7 * 24 * 3600;

/** What a message is for, whoever stands for it. */
export interface Target {
  readonly endpointType: string;
  /** Of the very queue, topic, hub, container …; of an alert, that of the event subscription. */
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

/** Some clients name the queue or the container in the id, too. */
const accountOf = (id: string): string => id.replace(/\/(?:queue|blob)services\/.*$/i, '').replace(/\/+$/, '');

const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);
