import type { Definition, DeliverySchema, RetryPolicy, Secrets, UsedIdentity } from '../../definition.ts';
import { DEFAULT_ATTEMPTS, DEFAULT_TTL_MINUTES } from '../../delivering/defaults.ts';
import type { InputSchema } from '../../event.ts';
import { ALLOWED_OUTPUTS } from '../../forms.ts';
import { filterMistakes, normalFilter } from '../../matching/validate.ts';
import type { ReadContext } from './context.ts';
import { type ReadDeadLetter, type ReadDestination, readDeadLetter, readDestination } from './destination.ts';
import { type Fields, isObject } from './fields.ts';
import { readResourceId } from './resource-ids.ts';
import { timeOf } from './time.ts';

/** What a request says; the secrets have still to be sealed. */
export interface ReadDefinition {
  readonly definition: Omit<Definition, 'sealed'>;
  readonly secrets: Secrets;
}

const SCHEMAS: readonly DeliverySchema[] = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomInputSchema'];

const DEFAULT_RETRIES: RetryPolicy = {
  maxDeliveryAttempts: DEFAULT_ATTEMPTS,
  eventTimeToLiveInMinutes: DEFAULT_TTL_MINUTES,
};

/** Reads everything, so that all mistakes are told together. What it gives means something only where there are none. */
export function readDefinition(fields: Fields, context: ReadContext): ReadDefinition {
  const delivery = readDelivery(fields, context);
  const deadLetter = readDeadLetters(fields, context);
  for (const { target, message } of filterMistakes(fields.raw('filter'), fields.path('filter')))
    fields.mistakes.add(target, message);
  const labels = fields.texts('labels');
  const expirationTimeUtc = readExpiration(fields, context.now);
  const definition = {
    ...(delivery.read && { destination: delivery.read.destination }),
    ...(delivery.identity && { identity: delivery.identity }),
    ...(deadLetter.read && { deadLetter: deadLetter.read }),
    ...(deadLetter.identity && { deadLetterIdentity: deadLetter.identity }),
    // Not to be made of a filter with mistakes, and not needed then.
    filter: normalFilter(fields.mistakes.any ? undefined : fields.raw('filter')),
    ...(labels && labels.length > 0 && { labels }),
    ...(expirationTimeUtc !== undefined && { expirationTimeUtc }),
    eventDeliverySchema: readSchema(fields, context.inputSchema),
    retryPolicy: readRetries(fields),
  };
  return { definition, secrets: delivery.read?.secrets ?? {} };
}

interface Used<T> {
  readonly read: T | undefined;
  readonly identity?: UsedIdentity | undefined;
}

const readDelivery = (fields: Fields, context: ReadContext): Used<ReadDestination> =>
  readEither(fields, context, ['destination', 'deliveryWithResourceIdentity', 'destination'], readDestination);

const readDeadLetters = (fields: Fields, context: ReadContext): Used<ReadDeadLetter> =>
  readEither(
    fields,
    context,
    ['deadLetterDestination', 'deadLetterWithResourceIdentity', 'deadLetterDestination'],
    readDeadLetter,
  );

/** A destination may be given plain, or inside of an object that says with whose identity to deliver; not both. */
function readEither<T>(
  fields: Fields,
  context: ReadContext,
  [plain, withIdentity, inside]: readonly [string, string, string],
  read: (fields: Fields, context: ReadContext) => T | undefined,
): Used<T> {
  const direct = fields.object(plain);
  const wrapped = fields.object(withIdentity);
  if (direct && wrapped) fields.wrong(withIdentity, `'${plain}' and '${withIdentity}' exclude one another.`);
  if (!wrapped) return { read: direct && read(direct, context) };
  const destination = wrapped.object(inside);
  if (!wrapped.has(inside)) wrapped.wrong(inside, `'${inside}' is required.`);
  return { read: destination && read(destination, context), identity: readIdentity(wrapped, context) };
}

interface Owned {
  readonly type?: string;
  readonly userAssignedIdentities?: Readonly<Record<string, unknown>>;
}

function readIdentity(fields: Fields, { aliases, identity }: ReadContext): UsedIdentity | undefined {
  const wanted = fields.object('identity');
  if (!wanted) return fields.has('identity') ? undefined : fields.wrong('identity', "'identity' is required.");
  if (!wanted.has('type')) return wanted.wrong('type', "'type' is required: SystemAssigned or UserAssigned.");
  const type = wanted.word('type', ['SystemAssigned', 'UserAssigned']);
  const owned: Owned = isObject(identity) ? identity : {};
  if (type === 'SystemAssigned') {
    if (owned.type?.includes('SystemAssigned')) return { type };
    return wanted.wrong('type', 'The parent resource has no system-assigned identity.');
  }
  if (type === undefined) return undefined;
  const userAssignedIdentity = readResourceId(wanted, 'userAssignedIdentity', 'Identity', aliases);
  if (userAssignedIdentity === undefined) return undefined;
  // Whatever prefix either was written with.
  const tail = (id: string): string => id.toLowerCase().replace(/\/providers\/[^./]+\./, '/providers/');
  const isOwned = Object.keys(owned.userAssignedIdentities ?? {}).some((id) => tail(id) === tail(userAssignedIdentity));
  if (isOwned) return { type, userAssignedIdentity };
  return wanted.wrong('userAssignedIdentity', 'The parent resource does not have that user-assigned identity.');
}

function readSchema(fields: Fields, input: InputSchema): DeliverySchema {
  const outputs = ALLOWED_OUTPUTS[input];
  const usual = outputs[0] as DeliverySchema;
  const schema = fields.word('eventDeliverySchema', SCHEMAS) ?? usual;
  if (!outputs.includes(schema))
    fields.wrong(
      'eventDeliverySchema',
      `Events that come in the schema ${input} can be delivered as ${outputs.join(', ')}, not as ${schema}.`,
    );
  return schema;
}

function readRetries(fields: Fields): RetryPolicy {
  const policy = fields.object('retryPolicy');
  return {
    maxDeliveryAttempts:
      policy?.integer('maxDeliveryAttempts', { from: 1, to: 30 }) ?? DEFAULT_RETRIES.maxDeliveryAttempts,
    eventTimeToLiveInMinutes:
      policy?.integer('eventTimeToLiveInMinutes', { from: 1, to: 1440 }) ?? DEFAULT_RETRIES.eventTimeToLiveInMinutes,
  };
}

function readExpiration(fields: Fields, now: number): string | undefined {
  const name = 'expirationTimeUtc';
  const value = fields.text(name);
  if (value === undefined) return undefined;
  const time = timeOf(value);
  if (Number.isNaN(time)) return fields.wrong(name, `'${name}' has to be a time such as 2030-01-31T12:00:00Z.`);
  if (time > now) return value;
  return fields.wrong(name, `'${name}' has to be in the future; it is ${new Date(now).toISOString()} here.`);
}
