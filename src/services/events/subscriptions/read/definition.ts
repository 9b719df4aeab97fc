import type { Place, ValueOf } from '../../../../kernel/arm/body/index.ts';
import type { Definition, DeliverySchema, EventFilter, RetryPolicy, Secrets } from '../../definition.ts';
import { DEFAULT_ATTEMPTS, DEFAULT_TTL_MINUTES } from '../../delivering/defaults.ts';
import { readTime } from '../../forms/times.ts';
import { ALLOWED_OUTPUTS } from '../../forms.ts';
import { OPERATOR_NAMES } from '../../matching/operators.ts';
import { filterMistakes, normalFilter } from '../../matching/validate.ts';
import { custom, integer, list, object, type ReadContext, text, time, word } from './context.ts';
import { DEAD_LETTER, DESTINATION, destinationOf, REQUIRED_DEAD_LETTER, REQUIRED_DESTINATION } from './destination.ts';
import { IDENTITY } from './identity.ts';
import { mistake, says } from './wording.ts';

const SCHEMAS: readonly DeliverySchema[] = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomInputSchema'];

/** Filters are validated by `matching/`. */
const FILTER = custom((given, at): EventFilter | undefined => {
  const known = at.reading.rules?.spelledWords(`${at.field}.advancedFilters[].operatorType`, OPERATOR_NAMES);
  const found = filterMistakes(given, at.target, known ? [...known.values()] : OPERATOR_NAMES);
  for (const { target, message } of found) at.wrong(() => mistake(target, message));
  return found.length === 0 ? normalFilter(given) : undefined;
});

const EXPIRATION = time({
  parse: readTime,
  wrong: says("'expirationTimeUtc' has to be a time such as 2030-01-31T12:00:00Z."),
  check: (value, at) => {
    const { now } = at.context;
    if (readTime(value) > now) return;
    const here = new Date(now).toISOString();
    at.wrong(says(`'expirationTimeUtc' has to be in the future; it is ${here} here.`));
  },
});

const DELIVERY_SCHEMA = word(SCHEMAS, {
  check: (schema, at) => {
    const { inputSchema } = at.context;
    const outputs = ALLOWED_OUTPUTS[inputSchema];
    if (outputs.includes(schema)) return;
    const allowed = outputs.join(', ');
    at.wrong(
      says(`Events that are published in the schema ${inputSchema} can be delivered as ${allowed}, not as ${schema}.`),
    );
  },
});

const DELIVERY = ['destination', 'deliveryWithResourceIdentity'] as const;
const DEAD_LETTERS = ['deadLetterDestination', 'deadLetterWithResourceIdentity'] as const;

/** Pairs of members that exclude each other; if both are sent, the first is not validated. */
export const EITHER = [DELIVERY, DEAD_LETTERS] as const;

export const DEFINITION = object(
  {
    destination: DESTINATION,
    deliveryWithResourceIdentity: object({ destination: REQUIRED_DESTINATION, identity: IDENTITY }),
    deadLetterDestination: DEAD_LETTER,
    deadLetterWithResourceIdentity: object({
      deadLetterDestination: REQUIRED_DEAD_LETTER,
      identity: IDENTITY,
    }),
    filter: FILTER,
    labels: list(text()),
    expirationTimeUtc: EXPIRATION,
    eventDeliverySchema: DELIVERY_SCHEMA,
    retryPolicy: object({
      maxDeliveryAttempts: integer({ min: 1, max: 30 }),
      eventTimeToLiveInMinutes: integer({ min: 1, max: 1440 }),
    }),
  },
  {
    check: (draft, at) => {
      for (const [plain, withIdentity] of EITHER)
        if (draft[plain] && draft[withIdentity]) refuseBoth(at, plain, withIdentity);
    },
  },
);

function refuseBoth(at: Place<ReadContext>, plain: string, withIdentity: string): void {
  at.reading.mistakes.forgetBelow(at.member(plain));
  at.member(withIdentity).wrong(says(`'${plain}' and '${withIdentity}' exclude one another.`));
}

/** The body of a PUT. */
export const PUT_BODY = object({ properties: DEFINITION });

export type DefinitionBody = ValueOf<typeof DEFINITION>;

/** A definition as it was read; its secrets are not sealed yet. */
export interface ReadDefinition {
  readonly definition: Omit<Definition, 'sealed'>;
  readonly secrets: Secrets;
  /** Values of secret delivery attributes that came with this request. */
  readonly sentAttributes: NonNullable<Secrets['attributes']>;
}

export function definitionOf(body: DefinitionBody, context: ReadContext): ReadDefinition {
  const { inputSchema, knownSecrets, keptSchema } = context;
  const { deliveryWithResourceIdentity: delivery, deadLetterWithResourceIdentity: dead, labels } = body;
  const byDefault = ALLOWED_OUTPUTS[inputSchema][0] as DeliverySchema;
  const to = delivery?.destination ?? body.destination;
  const taken = to && destinationOf(to, knownSecrets);
  const deadLetterTo = dead?.deadLetterDestination ?? body.deadLetterDestination;
  const definition = {
    ...(taken && { destination: taken.destination }),
    ...(delivery && { identity: delivery.identity }),
    ...(deadLetterTo && { deadLetter: deadLetterTo }),
    ...(dead && { deadLetterIdentity: dead.identity }),
    filter: withDefaultTypes(body.filter ?? normalFilter(undefined), context),
    ...(labels && { labels }),
    ...(body.expirationTimeUtc !== undefined && { expirationTimeUtc: body.expirationTimeUtc }),
    eventDeliverySchema: body.eventDeliverySchema ?? keptSchema ?? byDefault,
    retryPolicy: retriesOf(body.retryPolicy),
  };
  return { definition, secrets: taken?.secrets ?? {}, sentAttributes: taken?.sentAttributes ?? {} };
}

function withDefaultTypes(filter: EventFilter, { defaultEventTypes }: ReadContext): EventFilter {
  if (filter.includedEventTypes || !defaultEventTypes) return filter;
  return { ...filter, includedEventTypes: defaultEventTypes };
}

const retriesOf = ({
  maxDeliveryAttempts = DEFAULT_ATTEMPTS,
  eventTimeToLiveInMinutes = DEFAULT_TTL_MINUTES,
}: NonNullable<DefinitionBody['retryPolicy']> = {}): RetryPolicy => ({ maxDeliveryAttempts, eventTimeToLiveInMinutes });
