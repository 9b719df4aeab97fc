import type { Collection, Field } from './types.ts';

interface CollectionOptions<T> {
  fields?: Record<string, Field<T>>;
  indexes?: readonly (readonly string[])[];
  cached?: boolean;
  permanent?: boolean;
  wide?: boolean;
}

/** Declares a collection; the engines make its tables and indexes on start. */
export function collection<T>(name: string, options: CollectionOptions<T> = {}): Collection<T> {
  if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(name)) throw new Error(`collection name '${name}' is not valid`);
  const { fields = {}, indexes = [], cached = false, permanent = false, wide = false } = options;
  for (const field of Object.keys(fields)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(field))
      throw new Error(`collection '${name}': field name '${field}' is not valid`);
  }
  for (const index of indexes) {
    for (const field of index) {
      const type = fields[field]?.type;
      if (type === undefined) throw new Error(`collection '${name}' has an index on '${field}', which is not a field`);
      if (type === 'set') throw new Error(`collection '${name}': the set '${field}' is indexed already`);
    }
  }
  return { name, fields, indexes, cached, permanent, wide };
}

export const text = <T>(of: (document: T) => string | null | undefined): Field<T> => ({ type: 'text', of });
export const number = <T>(of: (document: T) => number | null | undefined): Field<T> => ({ type: 'number', of });
export const boolean = <T>(of: (document: T) => boolean | null | undefined): Field<T> => ({ type: 'boolean', of });
export const set = <T>(of: (document: T) => readonly string[]): Field<T> => ({ type: 'set', of });
