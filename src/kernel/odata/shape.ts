import type { Collection, Field } from '../store/types.ts';
import type { Kind } from './calls.ts';

/** The documents of a list as a client sees them: the names and types of their properties, and the field of the store for each. */

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
  /** True for a collection of values, queried with `any` and `all`. */
  readonly collection?: boolean;
  /**
   * The field of the store: text for strings, guids (lower case), enums (the member), dates (`2024-01-31`) and times (`23:59:59.999`); a
   * number for numbers, instants (milliseconds since 1970) and durations (milliseconds); a set for a collection. `key` is the key of the
   * document, as text; in-memory evaluation reads the property from the document nevertheless. A property without a field is evaluated only
   * on documents found by other conditions.
   */
  readonly field?: string;
  /** The field holds the value in lower case, and comparisons ignore case. */
  readonly ignoreCase?: boolean;
  /** If false, it can be selected, but not filtered by. */
  readonly filterable?: boolean;
  readonly orderable?: boolean;
  /** Reads the value from the document; by default the member of the same name. Ignored if there is a field. */
  read?(owner: never): unknown;
  /**
   * For a collection stored as a set: returns the set entry for elements with these values, as in `any(p: p/id eq 'x' and p/value eq 'y')`,
   * or undefined if no entry represents them.
   */
  entry?(wanted: Readonly<Record<string, string>>): string | undefined;
}

export interface EntityShape<T> {
  /** Shown in errors, for example `customer`. */
  readonly name: string;
  readonly collection: Collection<T>;
  readonly properties: Readonly<Record<string, PropertyShape>>;
  /** Additional names for `$expand` and `$select`. */
  readonly navigation?: readonly string[];
  /** How conditions are handled that neither an index nor SQL can answer: evaluated document by document within bounds, or refused. */
  readonly scan: 'bounded' | 'refused';
}

export function kindOf(property: PropertyShape): Kind | 'complex' {
  if (typeof property.type === 'string') return KINDS[property.type];
  return 'members' in property.type ? 'enum' : 'complex';
}

export const isWhole = ({ type }: PropertyShape): boolean => typeof type === 'string' && WHOLE.has(type);

/** Declares a shape; throws at start if a property does not fit its field. */
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
      throw new Error(`'${owner}.${name}' needs a ${wanted} field; '${property.field}' is ${found ?? 'missing'}`);
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

/** Returns the declared name for a client's name in any case. */
export function declaredName(properties: Readonly<Record<string, PropertyShape>>, name: string): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  let names = lowerNames.get(properties);
  if (!names) {
    names = new Map(Object.keys(properties).map((each) => [each.toLowerCase(), each]));
    lowerNames.set(properties, names);
  }
  return names.get(name.toLowerCase());
}
