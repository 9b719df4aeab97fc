import type { AttributeMapping, Definition, Secrets } from '../definition.ts';

/** No value of a delivery attribute is longer. */
const LONGEST_BYTES = 4096;

/** The headers (or message properties) that a subscription wants with its events. Of a batch, the first event gives the dynamic ones. */
export function attributeHeaders(
  mappings: readonly AttributeMapping[],
  secrets: Secrets,
  event: string,
): Record<string, string> {
  const headers: Record<string, string> = {};
  let parsed: unknown;
  for (const { name, type, properties } of mappings) {
    let value: string | undefined;
    if (type === 'Dynamic') {
      parsed ??= JSON.parse(event);
      value = textAt(parsed, properties.sourceField ?? '');
    } else value = properties.isSecret ? secrets.attributes?.[name.toLowerCase()] : (properties.value ?? undefined);
    if (value !== undefined) headers[name.toLowerCase()] = printable(value);
  }
  return headers;
}

/** The headers of a message whose values nobody may look at. */
export function secretHeadersOf({ destination }: Pick<Definition, 'destination'>): readonly string[] {
  const mappings = destination?.properties.deliveryAttributeMappings ?? [];
  return mappings.filter(({ properties }) => properties.isSecret === true).map(({ name }) => name.toLowerCase());
}

/** `data.customer.id`; an event that has no such member, or no plain value there, goes without the attribute. */
function textAt(event: unknown, path: string): string | undefined {
  let value = event;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = memberOf(value as Readonly<Record<string, unknown>>, name);
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** By its exact name, else without regard to case, as the keys of filters are. */
function memberOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const lower = name.toLowerCase();
  const found = Object.keys(object).find((key) => key.toLowerCase() === lower);
  return found === undefined ? undefined : object[found];
}

/** What a header cannot hold is percent-encoded, so that nothing of it is lost. */
function printable(value: string): string {
  const text = value.toWellFormed().replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character));
  return text.length <= LONGEST_BYTES ? text : text.slice(0, LONGEST_BYTES);
}
