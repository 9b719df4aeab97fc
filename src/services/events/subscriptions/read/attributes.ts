import type { DraftOf, Place } from '../../../../kernel/arm/body/index.ts';
import type { AttributeMapping, Secrets } from '../../definition.ts';
import { boolean, custom, list, object, type ReadContext, text, union } from './context.ts';
import { says } from './wording.ts';

const MOST_MAPPINGS = 10;
const LONGEST_VALUE_BYTES = 4096;
const LONGEST_NAME = 256;
const LONGEST_FIELD = 512;
const RESERVED = /^aeg-/i;
/** Characters of a header name (RFC 9110 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Headers of the transport rather than of the content, and a name that no object can hold. */
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

/** False if a value was sent and is invalid; a missing value may be known already. */
const VALUE = custom((given, at): string | false => {
  const problem = valueProblem(given);
  if (problem !== undefined) at.wrong(says(problem));
  return problem === undefined && typeof given === 'string' && given;
});

function valueProblem(given: unknown): string | undefined {
  if (typeof given !== 'string') return "'value' has to be a string.";
  if (given.trim() === '') return "'value' is required.";
  if (Buffer.byteLength(given) <= LONGEST_VALUE_BYTES) return undefined;
  return `'value' may have at most ${LONGEST_VALUE_BYTES} bytes.`;
}

const SOURCE_FIELD = text({
  required: true,
  check: (value, at) => {
    if (value.length > LONGEST_FIELD) at.wrong(says(`'sourceField' may have at most ${LONGEST_FIELD} characters.`));
  },
});

const STATIC = { properties: object({ isSecret: boolean(), value: VALUE }, { required: true }) };

const MAPPING = union(
  'type',
  { Static: STATIC, Dynamic: { properties: object({ sourceField: SOURCE_FIELD }, { required: true }) } },
  {
    common: { name: text({ required: true }) },
    missingWord: says("'type' is required: Static or Dynamic."),
    otherwise: STATIC,
    otherwiseWhenMissing: true,
  },
);

type MappingDraft = DraftOf<typeof MAPPING>;

/** Delivery attributes of a destination. */
export const ATTRIBUTES = list(MAPPING, {
  max: MOST_MAPPINGS,
  tooMany: (spot) => {
    const count = Array.isArray(spot.value) ? spot.value.length : 0;
    return says(`There are ${count} delivery attributes; there may be at most ${MOST_MAPPINGS}.`)(spot);
  },
  each: (mapping, at, before) => checkMapping(mapping, at, before),
});

function checkMapping(mapping: MappingDraft, at: Place<ReadContext>, before: readonly MappingDraft[]): void {
  const { name = '' } = mapping;
  const isGiven = name.trim() !== '';
  const problem = isGiven ? nameProblem(name, before) : undefined;
  if (problem !== undefined) at.member('name').wrong(says(problem));
  if (mapping.type === 'Dynamic' || !mapping.properties) return;
  const { isSecret = false, value } = mapping.properties;
  const known = isSecret && isGiven && problem === undefined ? secretIn(at.context.knownSecrets, name) : undefined;
  if (value === undefined && known === undefined)
    at.member('properties').member('value').wrong(says("'value' is required."));
}

function nameProblem(name: string, before: readonly MappingDraft[]): string | undefined {
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name) || name.length > LONGEST_NAME)
    return `'name' has to be the name of a header of at most ${LONGEST_NAME} characters.`;
  if (RESERVED.test(name)) return "Names that begin with 'aeg-' are those of the event service.";
  if (OF_THE_CONNECTION.has(lower)) return `'${name}' cannot be set by a delivery attribute.`;
  const isTaken = before.some((other) => other.name?.toLowerCase() === lower);
  return isTaken ? `There are two delivery attributes '${name}'.` : undefined;
}

/** Own members only: `constructor` is a possible attribute name. */
function secretIn({ attributes = {} }: Secrets, name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}

interface SeparatedSecrets {
  readonly mappings: readonly AttributeMapping[];
  /** All secret values, by attribute name in lower case. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The secret values that came with this request. */
  readonly sent: Readonly<Record<string, string>>;
}

/** Reads show this instead of a secret; when sent back, it means the known secret. */
export const HIDDEN = 'Hidden';

/** Separates secret values from those that may be shown; a secret without a value keeps its known value. */
export function separateSecrets(sent: readonly MappingDraft[], known: Secrets): SeparatedSecrets {
  const secrets: [string, string][] = [];
  const given: [string, string][] = [];
  const mappings = sent.flatMap((mapping): AttributeMapping[] => {
    const { name = '' } = mapping;
    if (mapping.type === 'Dynamic') {
      const { sourceField = '' } = mapping.properties ?? {};
      return [{ name, type: 'Dynamic', properties: { sourceField } }];
    }
    const { isSecret = false, value } = mapping.properties ?? {};
    const kept = isSecret && (!value || value === HIDDEN) ? secretIn(known, name) : undefined;
    const text = kept ?? (value || '');
    if (isSecret) secrets.push([name.toLowerCase(), text]);
    if (isSecret && kept === undefined) given.push([name.toLowerCase(), text]);
    return [{ name, type: 'Static', properties: { value: isSecret ? null : text, isSecret } }];
  });
  return { mappings, secrets: Object.fromEntries(secrets), sent: Object.fromEntries(given) };
}
