import type { Json } from '../../../../src/kernel/store/types.ts';
import type { EventFilter } from '../../../../src/services/events/definition.ts';
import type { GridEvent, JsonObject } from '../../../../src/services/events/event.ts';
import { compileFilter } from '../../../../src/services/events/matching/compile.ts';
import { filterMistakes, normalFilter } from '../../../../src/services/events/matching/validate.ts';

export const TOPIC =
  '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop/providers/Vendor.EventGrid/topics/orders';

export const anEvent = (own: Partial<GridEvent> = {}): GridEvent => ({
  schema: 'EventGridSchema',
  id: 'e-1',
  type: 'Shop.OrderPlaced',
  subject: '/orders/1',
  time: '2024-05-01T10:00:00Z',
  dataVersion: '2',
  topic: TOPIC,
  ...own,
});

/** A CloudEvent with further attributes beside its mandatory ones. */
export const aCloudEvent = (own: JsonObject = {}): GridEvent => {
  const original = { specversion: '1.0', id: 'c-1', source: '/shops/7', type: 'Shop.OrderPlaced', ...own };
  const { data } = original as { data?: Json };
  return {
    schema: 'CloudEventSchemaV1_0',
    id: 'c-1',
    type: 'Shop.OrderPlaced',
    subject: typeof own.subject === 'string' ? own.subject : '',
    time: '2024-05-01T10:00:00Z',
    dataVersion: '',
    topic: TOPIC,
    ...(data !== undefined && { data }),
    original,
  };
};

export const aCustomEvent = (payload: JsonObject): GridEvent =>
  anEvent({ schema: 'CustomEventSchema', original: payload, data: payload as Json });

/** A filter as a client sends it, validated and normalised. */
export function aFilter(sent: object = {}): EventFilter {
  const mistakes = filterMistakes(sent, 'filter');
  if (mistakes.length > 0) throw new Error(mistakes.map(({ target, message }) => `${target}: ${message}`).join('\n'));
  return normalFilter(sent);
}

export const advanced = (filter: object, onArrays = false): EventFilter =>
  aFilter({ advancedFilters: [filter], enableAdvancedFilteringOnArrays: onArrays });

export const matches = (filter: object, event: GridEvent, aliases: readonly string[] = []): boolean =>
  compileFilter(aFilter(filter), aliases).matches(event);

export const refusal = (filter: object, event: GridEvent, aliases: readonly string[] = []): string | undefined =>
  compileFilter(aFilter(filter), aliases).refusal(event);
