import type { Message } from '../../../kernel/delivery/index.ts';
import type { Destination } from '../definition.ts';

/** A message to a resource: a queue, a topic, a hub, a function, a hybrid connection. */
export interface ResourceMessage extends Message {
  /** Id of the delivery: the same for every attempt, so that the receiver can deduplicate. */
  readonly deliveryId: string;
  readonly eventId: string;
  readonly destination: Destination;
  /** Key of the subscription. */
  readonly owner: string;
}

export interface DeadLetterMessage extends Message {
  readonly deliveryId: string;
  readonly resourceId: string;
  readonly container: string;
  /** Name of the blob within the container. */
  readonly blob: string;
}
