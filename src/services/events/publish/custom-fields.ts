import type { Json } from '../../../kernel/store/index.ts';

/** Where an event in a custom schema has what every event has: `inputSchemaMapping` of a topic. */

export interface CustomField {
  readonly name: string;
  /** Where to look; absent where the mapping names no field. */
  readonly sourceField: string | undefined;
  readonly path: readonly string[];
  readonly defaultValue: string | undefined;
}

const CUSTOM_FIELDS = ['id', 'topic', 'eventTime', 'eventType', 'subject', 'dataVersion'] as const;
export type CustomFields = Readonly<Record<(typeof CUSTOM_FIELDS)[number], CustomField>>;

interface Mapping {
  readonly properties?: Readonly<Record<string, { readonly sourceField?: unknown; readonly defaultValue?: unknown }>>;
}

export function customFieldsOf(mapping: Json | undefined): CustomFields {
  const { properties = {} } = (mapping ?? {}) as Mapping;
  const fields = CUSTOM_FIELDS.map((name): [string, CustomField] => {
    const { sourceField, defaultValue } = properties[name] ?? {};
    const field = typeof sourceField === 'string' && sourceField !== '' ? sourceField : undefined;
    const value = typeof defaultValue === 'string' ? defaultValue : undefined;
    return [name, { name, sourceField: field, path: field?.split('.') ?? [], defaultValue: value }];
  });
  return Object.fromEntries(fields) as unknown as CustomFields;
}

/** A member of that very name, or what a path of names leads to; undefined where there is none, or null. */
export function valueAt(event: Readonly<Record<string, Json>>, { sourceField, path }: CustomField): Json | undefined {
  if (sourceField === undefined) return undefined;
  if (Object.hasOwn(event, sourceField)) return event[sourceField] ?? undefined;
  if (path.length === 1) return undefined;
  let at: Json | undefined = event as Json;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at ?? undefined;
}
