import { isIP } from 'node:net';
import { bodyFields, gatewayWording, type Spot, type ValueOf, type Wording } from '../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { eventErrors } from '../errors.ts';
import type { InputSchema } from '../event.ts';

/** Request bodies of topics and domains. */

const { object, text, word, boolean, list, map, json } = bodyFields();

export const INPUT_SCHEMAS: readonly InputSchema[] = ['EventGridSchema', 'CustomEventSchema', 'CloudEventSchemaV1_0'];
const MAX_IP_RULES = 128;
const LONGEST_SHOWN = 60;

export function invalid(target: string, reason: string): ApiError {
  return eventErrors.InvalidRequest({ reason: `The value of '${target}' is not valid: ${reason}.` }, { target });
}

export const notOneOf = (target: string, words: readonly string[], value: string): ApiError =>
  invalid(target, `'${value.slice(0, LONGEST_SHOWN)}' is none of ${words.join(', ')}`);

export const TOPIC_WORDING: Wording = (kind, spot, expected) => {
  const { target, value } = spot;
  if (kind === 'word') return notOneOf(target, expected.words ?? [], String(value));
  return kind === 'missing' ? invalid(target, 'it is missing') : gatewayWording(kind, spot, expected);
};

const tooManyRules = ({ target, value }: Spot): ApiError => {
  const count = Array.isArray(value) ? value.length : 0;
  return invalid(target, `there are ${count} rules, and at most ${MAX_IP_RULES} are allowed`);
};

/** Accepts an address, or a range in CIDR notation. */
function wrongMask(mask: string): string | undefined {
  const slash = mask.indexOf('/');
  const family = isIP(slash < 0 ? mask : mask.slice(0, slash));
  const bits = slash < 0 ? '0' : mask.slice(slash + 1);
  const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  if (family !== 0 && fits) return undefined;
  return `'${mask.slice(0, LONGEST_SHOWN)}' is not an address in CIDR notation, such as 10.0.0.0/8`;
}

const IP_RULE = object(
  {
    ipMask: text({
      required: true,
      check(mask, at) {
        const reason = wrongMask(mask);
        if (reason !== undefined) at.wrong(({ target }) => invalid(target, reason));
      },
    }),
    action: word(['Allow'], { default: 'Allow' }),
  },
  { first: ['action'] },
);

/** For all resources that accept events. */
export const INBOUND_IP_RULES = list(IP_RULE, { max: MAX_IP_RULES, tooMany: tooManyRules });
export const TLS_VERSION = word(['1.0', '1.1', '1.2']);

const FIELD = object({ sourceField: text() });
const FIELD_WITH_DEFAULT = object({ sourceField: text(), defaultValue: text() });

/** For each envelope field: the member to read, and the default if it is missing. */
const MAPPING = object(
  {
    inputSchemaMappingType: word(['Json'], {
      required: ({ target }) => invalid(target, 'it is missing, and must be Json'),
    }),
    properties: object({
      id: FIELD,
      topic: FIELD,
      eventTime: FIELD,
      eventType: FIELD_WITH_DEFAULT,
      subject: FIELD_WITH_DEFAULT,
      dataVersion: FIELD_WITH_DEFAULT,
    }),
  },
  { immutable: true },
);

/** Accepted, stored and shown, without effect. */
const KEPT = { asSent: true } as const;
export const SAFEGUARDS = {
  encryption: object({ customerManagedKeyEncryption: list(json()) }, KEPT),
  platformCapabilities: object({ confidentialCompute: object({ mode: word(['Enabled', 'Disabled']) }) }, KEPT),
};

const PROPERTIES = object(
  {
    inputSchema: word(INPUT_SCHEMAS, { immutable: true }),
    inputSchemaMapping: MAPPING,
    publicNetworkAccess: word(['Enabled', 'Disabled', 'SecuredByPerimeter']),
    inboundIpRules: INBOUND_IP_RULES,
    disableLocalAuth: boolean(),
    minimumTlsVersionAllowed: TLS_VERSION,
    dataResidencyBoundary: word(['WithinGeopair', 'WithinRegion']),
    autoCreateTopicWithFirstSubscription: boolean(),
    autoDeleteTopicWithLastSubscription: boolean(),
    eventTypeInfo: object({ kind: word(['Inline']), inlineEventTypes: map(json()) }, KEPT),
    ...SAFEGUARDS,
  },
  {
    first: [
      'inputSchema',
      'publicNetworkAccess',
      'minimumTlsVersionAllowed',
      'dataResidencyBoundary',
      'inboundIpRules',
      'inputSchemaMapping',
    ],
  },
);

/** The allowed types are checked in `identity.ts`, since a PATCH may leave out known members. */
export const IDENTITY = object({ type: text(), userAssignedIdentities: map(json(), { nulls: true }) });

export const TOPIC_BODY = object({
  properties: PROPERTIES,
  identity: IDENTITY,
  sku: object({ name: text() }, KEPT),
  kind: text(),
  extendedLocation: object({ name: text(), type: text() }, KEPT),
});

export type TopicBody = ValueOf<typeof TOPIC_BODY>;
export type PropertiesBody = ValueOf<typeof PROPERTIES>;
export type MappingBody = ValueOf<typeof MAPPING>;
export type IdentityBody = ValueOf<typeof IDENTITY>;
