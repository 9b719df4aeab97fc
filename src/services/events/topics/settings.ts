import { isIP } from 'node:net';
import type { ApiError } from '../../../kernel/http/errors.ts';
import { eventErrors } from '../errors.ts';
import type { InputSchema } from '../event.ts';
import type { Kind } from './kinds.ts';
import type { PropertiesBody } from './schema.ts';

const MAX_IP_RULES = 128;

export const INPUT_SCHEMAS: readonly InputSchema[] = ['EventGridSchema', 'CustomEventSchema', 'CloudEventSchemaV1_0'];

/** Fields that hold one word of a list, compared without regard to case. */
const WORDS = {
  inputSchema: INPUT_SCHEMAS,
  publicNetworkAccess: ['Enabled', 'Disabled', 'SecuredByPerimeter'],
  minimumTlsVersionAllowed: ['1.0', '1.1', '1.2'],
  dataResidencyBoundary: ['WithinGeopair', 'WithinRegion'],
} as const;

const FLAGS = ['disableLocalAuth'] as const;
const DOMAIN_FLAGS = ['autoCreateTopicWithFirstSubscription', 'autoDeleteTopicWithLastSubscription'] as const;

/** Of each field of an event: where it is in what publishers send, and what it is where they send nothing. */
const MAPPED = {
  id: ['sourceField'],
  topic: ['sourceField'],
  eventTime: ['sourceField'],
  eventType: ['sourceField', 'defaultValue'],
  subject: ['sourceField', 'defaultValue'],
  dataVersion: ['sourceField', 'defaultValue'],
} as const;

type MappedField = { readonly sourceField?: string; readonly defaultValue?: string };

/** Types rather than interfaces, so that they are plain JSON to the store. */
export type InputMapping = {
  readonly inputSchemaMappingType: 'Json';
  readonly properties: { readonly [field in keyof typeof MAPPED]?: MappedField };
};

/** What a topic or a domain is set to; as stored and shown. */
export type Settings = {
  readonly inputSchema: InputSchema;
  readonly inputSchemaMapping?: InputMapping;
  readonly publicNetworkAccess: string;
  readonly inboundIpRules?: readonly { readonly ipMask: string; readonly action: 'Allow' }[];
  readonly disableLocalAuth: boolean;
  readonly minimumTlsVersionAllowed: string;
  readonly dataResidencyBoundary: string;
  readonly autoCreateTopicWithFirstSubscription?: boolean;
  readonly autoDeleteTopicWithLastSubscription?: boolean;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const DEFAULTS: Settings = {
  inputSchema: 'EventGridSchema',
  publicNetworkAccess: 'Enabled',
  disableLocalAuth: false,
  minimumTlsVersionAllowed: '1.0',
  dataResidencyBoundary: 'WithinGeopair',
};

export const defaultsOf = ({ word }: Pick<Kind, 'word'>): Settings =>
  word === 'topic'
    ? DEFAULTS
    : { ...DEFAULTS, autoCreateTopicWithFirstSubscription: true, autoDeleteTopicWithLastSubscription: true };

export function invalid(target: string, reason: string): ApiError {
  return eventErrors.InvalidRequest({ reason: `The value of '${target}' is not valid: ${reason}.` }, { target });
}

/** What a body says, and nothing of what it leaves out. */
export function settingsIn(kind: Pick<Kind, 'word'>, body: PropertiesBody | null | undefined): Partial<Settings> {
  const given: Mutable<Partial<Settings>> = {};
  if (!body) return given;
  for (const [field, words] of Object.entries(WORDS) as [keyof typeof WORDS, readonly string[]][]) {
    const value = body[field] ?? undefined;
    if (value !== undefined) given[field] = wordOf(`properties.${field}`, words, value) as never;
  }
  for (const flag of kind.word === 'topic' ? FLAGS : [...FLAGS, ...DOMAIN_FLAGS]) {
    const value = body[flag] ?? undefined;
    if (value !== undefined) given[flag] = value;
  }
  if (body.inboundIpRules) given.inboundIpRules = ipRulesOf(body.inboundIpRules);
  if (body.inputSchemaMapping) given.inputSchemaMapping = mappingOf(body.inputSchemaMapping);
  return given;
}

export function wordOf(target: string, words: readonly string[], value: string): string {
  const word = words.find((each) => each.toLowerCase() === value.toLowerCase());
  if (word === undefined) throw invalid(target, `'${value.slice(0, 60)}' is none of ${words.join(', ')}`);
  return word;
}

function ipRulesOf(rules: NonNullable<PropertiesBody['inboundIpRules']>): NonNullable<Settings['inboundIpRules']> {
  const target = 'properties.inboundIpRules';
  if (rules.length > MAX_IP_RULES)
    throw invalid(target, `there are ${rules.length} rules, and at most ${MAX_IP_RULES} are allowed`);
  return rules.map(({ ipMask, action }, index) => {
    const at = `${target}[${index}]`;
    if (action !== undefined && action !== null) wordOf(`${at}.action`, ['Allow'], action);
    const reason = ipMask ? wrongMask(ipMask) : 'it is missing';
    if (reason !== undefined) throw invalid(`${at}.ipMask`, reason);
    return { ipMask: ipMask as string, action: 'Allow' };
  });
}

/** An address, or a range in CIDR notation. */
function wrongMask(mask: string): string | undefined {
  const slash = mask.indexOf('/');
  const family = isIP(slash < 0 ? mask : mask.slice(0, slash));
  const bits = slash < 0 ? '0' : mask.slice(slash + 1);
  const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return family !== 0 && fits ? undefined : `'${mask.slice(0, 60)}' is no address in CIDR notation, such as 10.0.0.0/8`;
}

function mappingOf(body: NonNullable<PropertiesBody['inputSchemaMapping']>): InputMapping {
  const target = 'properties.inputSchemaMapping';
  const type = body.inputSchemaMappingType;
  if (!type) throw invalid(`${target}.inputSchemaMappingType`, 'it is missing, and must be Json');
  wordOf(`${target}.inputSchemaMappingType`, ['Json'], type);
  const properties: Record<string, MappedField> = {};
  for (const [field, members] of Object.entries(MAPPED) as [keyof typeof MAPPED, readonly (keyof MappedField)[]][]) {
    const given = body.properties?.[field] as MappedField | null | undefined;
    if (!given) continue;
    const kept = members.flatMap((member) => (given[member] ? [[member, given[member]] as const] : []));
    if (kept.length > 0) properties[field] = Object.fromEntries(kept);
  }
  return { inputSchemaMappingType: 'Json', properties };
}

/** Of settings that were put together out of several sources. */
export function checkTogether({ inputSchema, inputSchemaMapping }: Settings): void {
  if (!inputSchemaMapping || inputSchema === 'CustomEventSchema') return;
  const reason = `it needs the input schema CustomEventSchema, and this is ${inputSchema}`;
  throw invalid('properties.inputSchemaMapping', reason);
}

/** What publishers send cannot change under them. */
export function checkUnchanged(given: Partial<Settings>, before: Settings): void {
  for (const field of ['inputSchema', 'inputSchemaMapping'] as const) {
    if (given[field] === undefined || JSON.stringify(given[field]) === JSON.stringify(before[field])) continue;
    throw invalid(`properties.${field}`, 'it cannot be changed after the creation; delete the resource to begin anew');
  }
}
