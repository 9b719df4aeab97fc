import type { DeliverySchema } from '../definition.ts';

/** Beginning and end of events as `forms.ts` writes them. */
const CLOUD_EVENT = '{"specversion":"1.0",';
const NATIVE = '"metadataVersion":"1"}';

/**
 * Schema in which an event was written, which is the one that its subscription wanted when the event was published; the subscription may
 * want another now. An event in a custom schema can look like anything, so if the subscription wants a custom schema, the event is assumed
 * to be in it.
 */
export function schemaOf(event: string, wanted: DeliverySchema): DeliverySchema {
  if (wanted === 'CustomInputSchema') return wanted;
  if (event.startsWith(CLOUD_EVENT)) return 'CloudEventSchemaV1_0';
  return event.endsWith(NATIVE) ? 'EventGridSchema' : 'CustomInputSchema';
}
