// biome-ignore lint/suspicious/noExplicitAny: schemas and answers of every shape are looked into
type Any = any;

/**
 * Places where an answer has members that the schema of an OpenAPI document does not declare, or lacks required ones: as `value/0/name`.
 */
export function undeclared(document: Any, schema: Any, value: Any, place = ''): string[] {
  if (schema?.$ref) return undeclared(document, named(document, schema.$ref), value, place);
  const choices: Any[] = schema?.anyOf ?? schema?.oneOf ?? [];
  if (choices.length > 0) {
    const found = choices.map((choice) => undeclared(document, choice, value, place));
    return found.find((each) => each.length === 0) ?? found[0] ?? [];
  }
  if (schema?.allOf) return undeclared(document, merged(document, schema.allOf), value, place);
  if (Array.isArray(value)) {
    if (schema.type !== 'array') return wrong(schema, place);
    return value.flatMap((item, i) => undeclared(document, schema.items ?? {}, item, `${place}/${i}`));
  }
  if (typeof value !== 'object' || value === null) return isType(schema, value) ? [] : wrong(schema, place);
  if (schema.type !== 'object') return wrong(schema, place);
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const others = additionalProperties ?? Object.values(patternProperties ?? {})[0];
  const missing = required.filter((name: string) => !(name in value)).map((name: string) => `${place}/${name} missing`);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = `${place}/${name}`;
    const declared = properties[name] ?? others;
    if (typeof declared === 'object') return undeclared(document, declared, member, at);
    return declared === true ? [] : [at];
  });
  return [...missing, ...members];
}

const named = (document: Any, reference: string): Any =>
  reference
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], document);

const wrong = ({ type }: Any, place: string): string[] => (type === undefined ? [] : [`${place} is no ${type}`]);

function isType({ type, enum: members }: Any, value: Any): boolean {
  if (members) return members.includes(value);
  if (type === undefined) return true;
  if (value === null) return type === 'null';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function merged(document: Any, parts: Any[]): Any {
  const all = parts.map((part) => (part.$ref ? named(document, part.$ref) : part));
  return {
    type: 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
}
