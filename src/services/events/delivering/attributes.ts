import type { AttributeMapping, Definition, Secrets } from '../definition.ts';

/** Maximum length of a delivery attribute's value. */
const LONGEST_BYTES = 4096;

/** Headers (or message properties) from the subscription's delivery attributes. In a batch, the first event supplies the dynamic values. */
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

/** Names of headers whose values are secret and must not be shown or logged. */
export function secretHeadersOf({ destination }: Pick<Definition, 'destination'>): readonly string[] {
  const mappings = destination?.properties.deliveryAttributeMappings ?? [];
  return mappings.filter(({ properties }) => properties.isSecret === true).map(({ name }) => name.toLowerCase());
}

/**
 * Reads the text at a path such as `data.customer.id`. Returns undefined if the event has no such member or its value is not plain; the
 * attribute is then left out.
 */
function textAt(event: unknown, path: string): string | undefined {
  let value = event;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = memberOf(value as Readonly<Record<string, unknown>>, name);
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Prefers the exact name, then ignores case, as for the keys of filters. */
function memberOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const lower = name.toLowerCase();
  const found = Object.keys(object).find((key) => key.toLowerCase() === lower);
  return found === undefined ? undefined : object[found];
}

/** Characters that a header cannot hold are percent-encoded, so that no information is lost. */
function printable(value: string): string {
  const text = value.toWellFormed().replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character));
  return text.length <= LONGEST_BYTES ? text : text.slice(0, LONGEST_BYTES);
}
