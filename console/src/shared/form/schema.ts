/** JSON Schemas of the OpenAPI documents, as what a form asks for. */

export type Schema = Readonly<Record<string, unknown>>;

/** Schemas by name: `components.schemas` of an OpenAPI document. */
export type Schemas = Readonly<Record<string, unknown>>;

interface Common {
  readonly about?: string | undefined;
}

export type Field =
  | (Common & { readonly kind: 'object'; readonly properties: readonly Property[] })
  | (Common & { readonly kind: 'map'; readonly values: Schema })
  | (Common & { readonly kind: 'list'; readonly items: Schema })
  | (Common & { readonly kind: 'choice'; readonly choices: readonly string[] })
  | (Common & { readonly kind: 'text' | 'number' | 'boolean' | 'any' });

export interface Property {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows a reference, and takes null out of a choice: a form leaves a member out instead. */
function plainOf(schema: Schema, schemas: Schemas): Schema {
  const { $ref, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') {
    const target = schemas[$ref.split('/').at(-1) ?? ''];
    return isMembers(target) ? plainOf(target, schemas) : {};
  }
  const options = (Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : []).filter(
    (each): each is Schema => isMembers(each) && each.type !== 'null',
  );
  const [only] = options;
  if (options.length === 1 && only) return { ...plainOf(only, schemas), ...described(schema) };
  const constants = options.map((each) => each.const);
  if (options.length > 1 && constants.every((each) => typeof each === 'string'))
    return { type: 'string', enum: constants, ...described(schema) };
  return schema;
}

const described = ({ description }: Schema): Schema => (description === undefined ? {} : { description });

/** What a form shows for a schema. */
export function fieldOf(given: Schema, schemas: Schemas): Field {
  const schema = plainOf(given, schemas);
  const about = typeof schema.description === 'string' ? schema.description : undefined;
  const properties = propertiesOf(schema, schemas);
  if (properties.length > 0) return { kind: 'object', properties, about };
  const choices = choicesOf(schema);
  // A description that repeats the words of the choice says nothing more.
  if (choices) return { kind: 'choice', choices, about: about === choices.join(', ') ? undefined : about };
  const values = valuesOf(schema);
  const type = [schema.type].flat().find((each) => each !== 'null');
  switch (type) {
    case 'object':
      return values ? { kind: 'map', values, about } : { kind: 'any', about };
    case 'array':
      return { kind: 'list', items: isMembers(schema.items) ? schema.items : {}, about };
    case 'string':
      return { kind: 'text', about };
    case 'integer':
    case 'number':
      return { kind: 'number', about };
    case 'boolean':
      return { kind: 'boolean', about };
    default:
      return { kind: 'any', about };
  }
}

function choicesOf(schema: Schema): readonly string[] | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum : Array.isArray(schema.examples) ? schema.examples : [];
  const texts = values.filter((each): each is string => typeof each === 'string');
  return texts.length > 0 ? [...new Set(texts)] : undefined;
}

function valuesOf({ patternProperties, additionalProperties }: Schema): Schema | undefined {
  if (isMembers(patternProperties)) return Object.values(patternProperties).find(isMembers);
  return isMembers(additionalProperties) ? additionalProperties : undefined;
}

/** Those of an object, with those of the parts that it consists of. */
export function propertiesOf(given: Schema, schemas: Schemas): readonly Property[] {
  const schema = plainOf(given, schemas);
  const parts = Array.isArray(schema.allOf) ? schema.allOf.filter(isMembers) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const own = Object.entries(isMembers(schema.properties) ? schema.properties : {}).map(([name, each]) => ({
    name,
    schema: isMembers(each) ? each : {},
    isRequired: required.includes(name),
  }));
  return [...parts.flatMap((part) => propertiesOf(part, schemas)), ...own];
}

/** An example of a value: the required members of objects, and the first of the choices. */
export function exampleOf(given: Schema, schemas: Schemas, depth = 0): unknown {
  const { example, default: standard, const: constant } = plainOf(given, schemas);
  for (const known of [example, constant, standard]) if (known !== undefined) return known;
  const field = fieldOf(given, schemas);
  switch (field.kind) {
    case 'object': {
      const needed = field.properties.filter(({ isRequired }) => isRequired);
      const isAny = needed.length === 0 && depth === 0;
      const shown = (isAny ? field.properties.slice(0, MOST_SHOWN) : needed).map(
        ({ name, schema }) => [name, EXAMPLES[name] ?? exampleOf(schema, schemas, depth + 1)] as const,
      );
      return Object.fromEntries(isAny ? shown.filter(([, value]) => JSON.stringify(value) !== '{}') : shown);
    }
    case 'list':
      return depth < DEEPEST ? [exampleOf(field.items, schemas, depth + 1)] : [];
    case 'choice':
      return field.choices[0];
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'text':
      return 'text';
    default:
      return {};
  }
}

/** Members whose name says more than their schema. */
const EXAMPLES: Readonly<Record<string, string>> = { location: 'westeurope', displayName: 'Example', name: 'example' };

const DEEPEST = 4;
/** Of an object without required members. */
const MOST_SHOWN = 6;
