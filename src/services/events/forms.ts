import type { DeliverySchema } from './definition.ts';
import type { GridEvent } from './event.ts';

/** The event as JSON text in the schema that a subscription wants. */
export function outputOf(_event: GridEvent, _schema: DeliverySchema): string {
  throw new Error('not there yet');
}
