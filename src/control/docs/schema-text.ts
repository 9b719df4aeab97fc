import { isObject } from '../../kernel/values/index.ts';

/** Renders a JSON Schema for people, in TypeScript notation. References are followed; a recursive one is shown by its name. */

type Schema = Readonly<Record<string, unknown>>;

/** Schemas by name, as in `components.schemas` of an OpenAPI document. */
export type Schemas = Readonly<Record<string, unknown>>;

const MOST_LINES = 300;
const MOST_LEVELS = 8;
const MOST_VALUES = 12;
const REFERENCE = '#/components/schemas/';

export function schemaText(schema: unknown, schemas: Schemas): string {
  const lines = new Writer(schemas).written(schema, 0, []).split('\n');
  return lines.length > MOST_LINES ? `${lines.slice(0, MOST_LINES).join('\n')}\n…` : lines.join('\n');
}

class Writer {
  readonly #schemas: Schemas;
  #lines = 0;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  written(schema: unknown, level: number, within: readonly string[]): string {
    if (schema === true || !isObject(schema)) return 'any';
    const { $ref } = schema;
    if (typeof $ref === 'string') return this.#referred($ref, level, within);
    for (const [keyword, sign] of [
      ['anyOf', ' | '],
      ['oneOf', ' | '],
      ['allOf', ' & '],
    ] as const) {
      const parts = schema[keyword];
      if (Array.isArray(parts) && parts.length > 0) return this.#joined(parts, sign, level, within);
    }
    if (Array.isArray(schema.enum)) return choice(schema.enum);
    if ('const' in schema) return JSON.stringify(schema.const);
    if (isObject(schema.properties)) return this.#object(schema, schema.properties, level, within);
    return this.#plain(schema, level, within);
  }

  #referred(reference: string, level: number, within: readonly string[]): string {
    const name = reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : reference;
    const target = this.#schemas[name];
    if (target === undefined || within.includes(name)) return name;
    return this.written(target, level, [...within, name]);
  }

  #joined(parts: readonly unknown[], sign: string, level: number, within: readonly string[]): string {
    return [...new Set(parts.map((part) => this.written(part, level, within)))].join(sign);
  }

  #plain(schema: Schema, level: number, within: readonly string[]): string {
    const { type, items, additionalProperties, format } = schema;
    if (Array.isArray(type)) return type.join(' | ');
    if (type === 'array') return `${this.written(items, level, within)}[]`;
    if (type === 'object')
      return isObject(additionalProperties)
        ? `{ [name: string]: ${this.written(additionalProperties, level, within)} }`
        : 'object';
    if (typeof type !== 'string') return 'any';
    return typeof format === 'string' ? `${type} (${format})` : type;
  }

  #object(schema: Schema, properties: Schema, level: number, within: readonly string[]): string {
    const names = Object.entries(properties);
    if (names.length === 0) return '{}';
    if (level >= MOST_LEVELS || this.#lines > MOST_LINES) return '{ … }';
    const required = Array.isArray(schema.required) ? schema.required : [];
    const indent = '  '.repeat(level + 1);
    const lines = names.map(([name, value]) => {
      this.#lines++;
      const about =
        isObject(value) && typeof value.description === 'string' ? `  // ${oneLine(value.description)}` : '';
      const mark = required.includes(name) ? '' : '?';
      return `${indent}${spelt(name)}${mark}: ${this.written(value, level + 1, within)}${about}`;
    });
    return `{\n${lines.join('\n')}\n${'  '.repeat(level)}}`;
  }
}

const choice = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  return values.length > MOST_VALUES ? `${shown.join(' | ')} | …` : shown.join(' | ');
};

const spelt = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const oneLine = (text: string): string => text.replaceAll('\n', ' ');
