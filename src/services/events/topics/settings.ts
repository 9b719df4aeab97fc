import { immutableChanges, readBody, type VersionRules } from '../../../kernel/arm/body/index.ts';
import type { Resource } from '../../../kernel/arm/index.ts';
import type { InputSchema } from '../event.ts';
import { invalid, type MappingBody, type PropertiesBody, TOPIC_BODY, TOPIC_WORDING, type TopicBody } from './body.ts';
import type { Kind } from './kinds.ts';

type MappedField = { readonly sourceField?: string; readonly defaultValue?: string };
type MappedName = keyof NonNullable<MappingBody['properties']>;

/** Types rather than interfaces, so that they count as plain JSON for the store. */
export type InputMapping = {
  readonly inputSchemaMappingType: 'Json';
  readonly properties: { readonly [field in MappedName]?: MappedField };
};

/** Settings of a topic or a domain, as stored and shown. */
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
  readonly eventTypeInfo?: PropertiesBody['eventTypeInfo'];
  /** Topics only. */
  readonly encryption?: PropertiesBody['encryption'];
  readonly platformCapabilities?: PropertiesBody['platformCapabilities'];
};

/** The settings among the properties of a stored topic or domain. The cast is safe: each is written with all required settings. */
export const storedSettings = ({ properties }: Pick<Resource, 'properties'>): Settings => properties as Settings;

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

/** Parsed body of a PUT or a PATCH. */
export interface Sent {
  readonly body: TopicBody;
  /** Only the settings that were sent. */
  readonly settings: Partial<Settings>;
}

/** Throws the first mistake in the body; wrong types come first, as with the schema of the route. */
export function readTopic(kind: Pick<Kind, 'word'>, sent: unknown, rules?: VersionRules): Sent {
  const reading = readBody(TOPIC_BODY, sent, { context: undefined, wording: TOPIC_WORDING, rules });
  const mistake = reading.mistakes.first('type') ?? reading.mistakes.errors()[0];
  if (mistake) throw mistake;
  const body = reading.value;
  return { body, settings: body.properties ? settingsIn(kind, body.properties) : {} };
}

function settingsIn({ word }: Pick<Kind, 'word'>, properties: PropertiesBody): Partial<Settings> {
  const { inboundIpRules, inputSchemaMapping, ...plain } = properties;
  const { autoCreateTopicWithFirstSubscription, autoDeleteTopicWithLastSubscription, ...ofTopics } = plain;
  const { encryption, platformCapabilities, ...ofDomains } = plain;
  return {
    ...(word === 'topic' ? ofTopics : ofDomains),
    ...(inboundIpRules && { inboundIpRules }),
    ...(inputSchemaMapping && { inputSchemaMapping: mappingOf(inputSchemaMapping) }),
  };
}

/** Leaves out empty fields. */
function mappingOf({ inputSchemaMappingType, properties = {} }: MappingBody): InputMapping {
  const mapped = Object.entries<MappedField>(properties).flatMap(([name, field]) => {
    const members = Object.entries(field).filter(([, value]) => value !== '');
    return members.length > 0 ? [[name, Object.fromEntries(members)] as const] : [];
  });
  return { inputSchemaMappingType, properties: Object.fromEntries(mapped) };
}

/** Checks settings that were merged from several sources. */
export function checkTogether({ inputSchema, inputSchemaMapping }: Settings): void {
  if (!inputSchemaMapping || inputSchema === 'CustomEventSchema') return;
  const reason = `it needs the input schema CustomEventSchema, and this is ${inputSchema}`;
  throw invalid('properties.inputSchemaMapping', reason);
}

/** Settings that publishers depend on cannot change. */
export function checkUnchanged(given: Partial<Settings>, before: Settings): void {
  const [target] = immutableChanges(TOPIC_BODY, { properties: given }, { properties: before });
  if (target === undefined) return;
  throw invalid(target, 'it cannot be changed after the creation; delete the resource and create it again');
}
