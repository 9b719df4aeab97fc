import type { TSchema } from 'typebox';
import { isObject } from '../values/objects.ts';

export type JsonObject = Record<string, unknown>;

/** Keywords whose value is a schema, a list of schemas, or a map of schemas; values of other keywords are data. */
const ONE_SCHEMA = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const SCHEMA_LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SCHEMA_MAP = new Set(['dependentSchemas', 'patternProperties', 'properties']);

/**
 * Converts the schemas of routes for an OpenAPI 3.1 document. They are already JSON Schema; named schemas (`$id`, `$defs`) move to the
 * components, because a document must not define a name twice.
 */
export class SchemaComponents {
  readonly schemas: JsonObject = {};

  convert(schema: TSchema): unknown {
    return this.#convert(schema);
  }

  /** Adds a schema to the components and returns a reference to it. */
  define(name: string, schema: unknown): JsonObject {
    const key = name.replace(/[^A-Za-z0-9._-]/g, '_');
    if (!(key in this.schemas)) {
      // The name is reserved before the content is converted, which may refer back to it.
      this.schemas[key] = {};
      this.schemas[key] = this.#convert(schema, true);
    }
    return { $ref: reference(key) };
  }

  #convert(schema: unknown, isDefinition = false): unknown {
    if (!isObject(schema)) return schema;
    if (typeof schema.$id === 'string' && !isDefinition) return this.define(schema.$id, schema);
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) this.define(name, definition);
    const converted: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$id' || keyword === '$defs' || keyword === '$schema') continue;
      converted[keyword] = this.#convertKeyword(keyword, value);
    }
    return converted;
  }

  #convertKeyword(keyword: string, value: unknown): unknown {
    if (keyword === '$ref' && typeof value === 'string') return reference(value.replace(/^#\/\$defs\//, ''));
    if (ONE_SCHEMA.has(keyword)) return this.#convert(value);
    if (SCHEMA_LIST.has(keyword) && Array.isArray(value)) return value.map((item) => this.#convert(item));
    if (SCHEMA_MAP.has(keyword) && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#convert(item)]));
    }
    return value;
  }
}

function reference(name: string): string {
  return name.startsWith('#') ? name : `#/components/schemas/${name.replace(/[^A-Za-z0-9._-]/g, '_')}`;
}
