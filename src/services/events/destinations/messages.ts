import type { Message } from '../../../kernel/delivery/index.ts';
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
