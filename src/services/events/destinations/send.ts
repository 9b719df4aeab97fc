import type { Message, Reply } from '../../../kernel/delivery/index.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Destination } from '../definition.ts';

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

/** By the configured connection; into one of the jar's own queues where there is none. */
export async function sendToResource(_message: ResourceMessage, _jar: Jar, _signal: AbortSignal): Promise<Reply> {
  throw new Error('not there yet');
}

export async function writeDeadLetter(_message: DeadLetterMessage, _jar: Jar, _signal: AbortSignal): Promise<Reply> {
  throw new Error('not there yet');
}
