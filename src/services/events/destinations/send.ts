import type { Message, Reply } from '../../../kernel/delivery/index.ts';
import type { Destination } from '../definition.ts';
import type { EventsJar } from '../jar.ts';
import { sendByAmqp } from './amqp/send.ts';
import { callFunction } from './function.ts';
import { sendByRelay } from './hybrid/send.ts';
import { putInOwnQueue } from './own-queue.ts';
import { putQueueMessage, writeBlob } from './storage.ts';
import { deadLetterTarget, targetOf } from './targets.ts';

/** A message to something that is named by a resource id: a queue, a topic, a hub, a function, a hybrid connection. */
export interface ResourceMessage extends Message {
  /** Of the delivery: the same for every attempt, so that what takes it can tell that it was there before. */
  readonly deliveryId: string;
  readonly eventId: string;
  readonly destination: Destination;
  /** The subscription's key. */
  readonly owner: string;
}

export interface DeadLetterMessage extends Message {
  readonly deliveryId: string;
  readonly resourceId: string;
  readonly container: string;
  /** Within the container. */
  readonly blob: string;
}

/** By the configured connection; into one of the jar's own queues where there is none.  */
export async function sendToResource(message: ResourceMessage, jar: EventsJar, signal: AbortSignal): Promise<Reply> {
  const target = targetOf(message);
  const { connections } = jar;
  switch (target.endpointType) {
    case 'StorageQueue': {
      const connection = connections.find(target.entityId, 'storage');
      if (connection) return putQueueMessage(message, target, connection, jar, signal);
      break;
    }
    case 'ServiceBusQueue':
    case 'ServiceBusTopic':
    case 'EventHub': {
      const connection = connections.find(target.entityId, 'broker');
      if (connection) return sendByAmqp(message, target, connection, jar, signal);
      break;
    }
    case 'AzureFunction': {
      const connection = connections.find(target.entityId, 'function');
      if (connection) return callFunction(message, target, connection, jar, signal);
      break;
    }
    case 'HybridConnection':
      return sendByRelay(message, target, jar, signal);
  }
  return putInOwnQueue(message, target, jar);
}

export async function writeDeadLetter(message: DeadLetterMessage, jar: EventsJar, signal: AbortSignal): Promise<Reply> {
  const target = deadLetterTarget(message);
  const connection = jar.connections.find(target.entityId, 'storage');
  if (connection) return writeBlob(message, connection, jar, signal);
  return putInOwnQueue(message, target, jar);
}
