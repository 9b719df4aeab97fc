import type { Json } from '../../../kernel/store/index.ts';
import { isList } from '../../../kernel/values/index.ts';

/** Where an event in a custom schema has its envelope fields: `inputSchemaMapping` of a topic. */

export interface CustomField {
  readonly name: string;
  /** Absent if the mapping names no field. */
  readonly sourceField: string | undefined;
  readonly path: readonly string[];
  readonly defaultValue: string | undefined;
}

type CustomName = 'id' | 'topic' | 'eventTime' | 'eventType' | 'subject' | 'dataVersion';
export type CustomFields = Readonly<Record<CustomName, CustomField>>;

interface Mapping {
  readonly properties?: Readonly<Record<string, { readonly sourceField?: unknown; readonly defaultValue?: unknown }>>;
}

export function customFieldsOf(mapping: Json | undefined): CustomFields {
  const { properties = {} } = (mapping ?? {}) as Mapping;
  const fieldOf = (name: CustomName): CustomField => {
    const { sourceField, defaultValue } = properties[name] ?? {};
    const field = typeof sourceField === 'string' && sourceField !== '' ? sourceField : undefined;
    const value = typeof defaultValue === 'string' ? defaultValue : undefined;
    return { name, sourceField: field, path: field?.split('.') ?? [], defaultValue: value };
  };
  return {
    id: fieldOf('id'),
    topic: fieldOf('topic'),
    eventTime: fieldOf('eventTime'),
    eventType: fieldOf('eventType'),
    subject: fieldOf('subject'),
    dataVersion: fieldOf('dataVersion'),
  };
}

/** The member with exactly that name, otherwise the value at the path of names. Returns undefined if it is missing or null. */
export function valueAt(event: Readonly<Record<string, Json>>, { sourceField, path }: CustomField): Json | undefined {
  if (sourceField === undefined) return undefined;
  if (Object.hasOwn(event, sourceField)) return event[sourceField] ?? undefined;
  if (path.length === 1) return undefined;
  let at: Json | undefined = event as Json;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || isList(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at ?? undefined;
}
