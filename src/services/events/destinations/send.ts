import type { Reply } from '../../../kernel/delivery/index.ts';
import type { EventsJar } from '../jar.ts';
import { sendToPartner } from '../partners/deliver.ts';
import { sendByAmqp } from './amqp/send.ts';
import { callFunction } from './function.ts';
import { sendByRelay } from './hybrid/send.ts';
import type { DeadLetterMessage, ResourceMessage } from './messages.ts';
import { putInOwnQueue } from './own-queue.ts';
import { putQueueMessage, writeBlob } from './storage.ts';
import { deadLetterTarget, targetOf } from './targets.ts';

/** Sends over the configured connection, otherwise into one of the jar's own queues. */
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
    case 'PartnerDestination':
      return sendToPartner(message, target, jar, signal);
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
