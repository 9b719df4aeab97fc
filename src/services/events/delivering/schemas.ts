import type { DeliverySchema } from '../definition.ts';

/** As `forms.ts` writes them. */
const CLOUD_EVENT = '{"specversion":"1.0",';
const NATIVE = '"metadataVersion":"1"}';

/**
 * The schema that an event was written in, which is the one that its subscription wanted when it was published: it may want another by now.
 * An event in a custom schema can look like anything, so that one is believed as it is wanted.
 */
export function schemaOf(event: string, wanted: DeliverySchema): DeliverySchema {
  if (wanted === 'CustomInputSchema') return wanted;
  if (event.startsWith(CLOUD_EVENT)) return 'CloudEventSchemaV1_0';
  return event.endsWith(NATIVE) ? 'EventGridSchema' : 'CustomInputSchema';
}
