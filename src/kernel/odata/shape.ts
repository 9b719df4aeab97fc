import type { Collection, Field } from '../store/types.ts';
import type { Kind } from './calls.ts';

/** What the documents of a list look like to a client: the names and types of their properties, and where the store keeps each. */

export type EdmName = keyof typeof KINDS;

const KINDS = {
  'Edm.String': 'text',
  'Edm.Guid': 'guid',
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.Single': 'number',
  'Edm.Double': 'number',
  'Edm.Decimal': 'number',
  'Edm.DateTimeOffset': 'instant',
  'Edm.Date': 'date',
  'Edm.TimeOfDay': 'time',
  'Edm.Duration': 'duration',
} as const satisfies Record<string, Kind>;

const WHOLE: ReadonlySet<string> = new Set(['Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64']);

export interface EnumShape {
  readonly members: readonly string[];
}

export interface ComplexShape {
  readonly properties: Readonly<Record<string, PropertyShape>>;
}

export interface PropertyShape {
  readonly type: EdmName | EnumShape | ComplexShape;
  /** Many of them: asked with `any` and `all`. */
  readonly collection?: boolean;
  /**
   * The field of the store that holds it: text for strings, guids (lower case), enums (the member), dates (`2024-01-31`) and times
   * (`23:59:59.999`); a number for numbers, instants (milliseconds since 1970) and durations (milliseconds); a set for a
   * collection. `key` is the key of the document, as text; what evaluates in memory reads the property from the document all the same. A
   * property without a field is only looked at in documents that were found by something else.
   */
  readonly field?: string;
  /** The field holds it in lower case, and it is compared without regard to case. */
  readonly ignoreCase?: boolean;
  /** False: it can be selected, not asked for. */
  readonly filterable?: boolean;
  readonly orderable?: boolean;
  /** Where a document has it, unless under its own name. Ignored where there is a field. */
  read?(owner: never): unknown;
  /**
   * For a collection that is kept as a set: the entry that stands for members with these values, as in
   * `any(p: p/id eq 'x' and p/value eq 'y')`; undefined where no entry does.
   */
  entry?(wanted: Readonly<Record<string, string>>): string | undefined;
}

export interface EntityShape<T> {
  /** `customer`; named in errors. */
  readonly name: string;
  readonly collection: Collection<T>;
  readonly properties: Readonly<Record<string, PropertyShape>>;
  /** What `$expand` and `$select` may name besides. */
  readonly navigation?: readonly string[];
  /** What no index and no SQL can answer: looked at document by document, within bounds, or refused. */
  readonly scan: 'bounded' | 'refused';
}

export function kindOf(property: PropertyShape): Kind | 'complex' {
  if (typeof property.type === 'string') return KINDS[property.type];
  return 'members' in property.type ? 'enum' : 'complex';
}

export const isWhole = ({ type }: PropertyShape): boolean => typeof type === 'string' && WHOLE.has(type);

/** Declares a shape; a property that does not fit its field is a mistake of the program, found when it starts. */
export function entityShape<T>(shape: EntityShape<T>): EntityShape<T> {
  checkFields(shape.name, shape.properties, shape.collection.fields);
  return shape;
}

function checkFields<T>(
  owner: string,
  properties: Readonly<Record<string, PropertyShape>>,
  fields: Readonly<Record<string, Field<T>>>,
): void {
  for (const [name, property] of Object.entries(properties)) {
    const kind = kindOf(property);
    if (property.field === undefined) {
      if (kind === 'complex' && !property.collection)
        checkFields(`${owner}.${name}`, (property.type as ComplexShape).properties, fields);
      continue;
    }
    const wanted = property.collection ? 'set' : FIELD_TYPES[kind];
    const found = property.field === 'key' ? 'text' : fields[property.field]?.type;
    if (found !== wanted)
      throw new Error(`'${owner}.${name}' needs a ${wanted} field; '${property.field}' is ${found ?? 'not there'}`);
  }
}

const FIELD_TYPES: Readonly<Record<Kind | 'complex', Field<never>['type'] | 'no'>> = {
  text: 'text',
  guid: 'text',
  enum: 'text',
  date: 'text',
  time: 'text',
  number: 'number',
  instant: 'number',
  duration: 'number',
  boolean: 'boolean',
  complex: 'no',
};

const lowerNames = new WeakMap<object, ReadonlyMap<string, string>>();

/** The declared name for one that a client wrote, with any casing. */
export function declaredName(properties: Readonly<Record<string, PropertyShape>>, name: string): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  let names = lowerNames.get(properties);
  if (!names) {
    names = new Map(Object.keys(properties).map((each) => [each.toLowerCase(), each]));
    lowerNames.set(properties, names);
  }
  return names.get(name.toLowerCase());
}
