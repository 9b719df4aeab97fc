import type { AttributeMapping, Secrets } from '../../definition.ts';
import type { Fields } from './fields.ts';

const MOST_MAPPINGS = 10;
const LONGEST_VALUE_BYTES = 4096;
const LONGEST_NAME = 256;
const LONGEST_FIELD = 512;
const RESERVED = /^aeg-/i;
/** RFC 9110 5.6.2: what the name of a header is made of. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Of the message itself, rather than of what it says; and a name that no object can hold. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  '__proto__',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

interface ReadAttributes {
  readonly mappings: readonly AttributeMapping[];
  /** By the names in lower case. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The delivery attributes of a destination; a secret that comes without its value is the one that is known already. */
export function readAttributes(destination: Fields, known: Secrets['attributes']): ReadAttributes | undefined {
  const name = 'deliveryAttributeMappings';
  const list = destination.list(name);
  if (list === undefined) return undefined;
  if (list.length > MOST_MAPPINGS) {
    destination.wrong(name, `There are ${list.length} delivery attributes; there may be at most ${MOST_MAPPINGS}.`);
    return undefined;
  }
  const mappings: AttributeMapping[] = [];
  const secrets: Record<string, string> = {};
  const seen = new Set<string>();
  for (const fields of destination.objects(name)) {
    const mapping = readMapping(fields, seen, known ?? {}, secrets);
    if (mapping) mappings.push(mapping);
  }
  return { mappings, secrets };
}

function readMapping(
  fields: Fields,
  seen: Set<string>,
  known: Readonly<Record<string, string>>,
  secrets: Record<string, string>,
): AttributeMapping | undefined {
  const name = readName(fields, seen);
  if (!fields.has('type')) fields.wrong('type', "'type' is required: Static or Dynamic.");
  const type = fields.word('type', ['Static', 'Dynamic']);
  const properties = fields.object('properties');
  if (!properties) {
    if (!fields.has('properties')) fields.wrong('properties', "'properties' is required.");
    return undefined;
  }
  if (type === 'Dynamic') {
    const sourceField = properties.requiredText('sourceField');
    if (sourceField !== undefined && sourceField.length > LONGEST_FIELD)
      return properties.wrong('sourceField', `'sourceField' may have at most ${LONGEST_FIELD} characters.`);
    return name === undefined || sourceField === undefined ? undefined : { name, type, properties: { sourceField } };
  }
  const isSecret = properties.flag('isSecret') ?? false;
  const value = readValue(properties, isSecret && name !== undefined ? secretIn(known, name) : undefined);
  if (name === undefined || type === undefined || value === undefined) return undefined;
  if (isSecret) secrets[name.toLowerCase()] = value;
  return { name, type, properties: { value: isSecret ? null : value, isSecret } };
}

/** Of those that were given, never what every object has: `constructor` is a name like any other. */
const secretIn = (known: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(known, name.toLowerCase()) ? known[name.toLowerCase()] : undefined;

function readName(fields: Fields, seen: Set<string>): string | undefined {
  const name = fields.requiredText('name');
  if (name === undefined) return undefined;
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name) || name.length > LONGEST_NAME)
    return fields.wrong('name', `'name' has to be the name of a header of at most ${LONGEST_NAME} characters.`);
  if (RESERVED.test(name)) return fields.wrong('name', "Names that begin with 'aeg-' are those of the event service.");
  if (OF_THE_CONNECTION.has(lower)) return fields.wrong('name', `'${name}' cannot be set by a delivery attribute.`);
  if (seen.has(lower)) return fields.wrong('name', `There are two delivery attributes '${name}'.`);
  seen.add(lower);
  return name;
}

function readValue(properties: Fields, known: string | undefined): string | undefined {
  if (known !== undefined && !properties.has('value')) return known;
  const value = properties.requiredText('value');
  if (value === undefined) return undefined;
  if (Buffer.byteLength(value) > LONGEST_VALUE_BYTES)
    return properties.wrong('value', `'value' may have at most ${LONGEST_VALUE_BYTES} bytes.`);
  return value;
}
