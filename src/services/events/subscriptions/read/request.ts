import { type Mistakes, MOST_DETAILS, readBody, withDeclaredNames } from '../../../../kernel/arm/body/index.ts';
import { armFacts, type VersionView } from '../../../../kernel/arm/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { isObject } from '../../../../kernel/values/index.ts';
import type { EventSubscription } from '../../collections.ts';
import type { Definition, Secrets } from '../../definition.ts';
import { eventErrors } from '../../errors.ts';
import type { InputSchema } from '../../event.ts';
import type { EventsCall } from '../../jar.ts';
import { PARTNER_TOPIC } from '../../partners/kinds.ts';
import { readableSecrets, sealSecrets } from '../../secrets.ts';
import { settingsOf } from '../../settings.ts';
import { defaultEventTypes } from '../../topics/topic-types.ts';
import type { Place } from '../place.ts';
import type { Parent } from '../scope.ts';
import { definitionView, shownDefinition } from '../view.ts';
import { custom, object, type ReadContext } from './context.ts';
import { DEFINITION, type DefinitionBody, definitionOf, EITHER, PUT_BODY } from './definition.ts';
import { allInOne, mistake, SUBSCRIPTION_WORDING } from './wording.ts';

export interface WriteRequest {
  readonly call: EventsCall;
  readonly place: Place;
  readonly parent: Parent;
  readonly existing: EventSubscription | undefined;
  readonly how: 'put' | 'patch';
}

export interface Wanted {
  readonly definition: Definition;
  /** Values of secret delivery attributes that came with this request. */
  readonly sentAttributes: NonNullable<Secrets['attributes']>;
}

/** Reads a PUT or a PATCH; throws with all mistakes. */
export function readRequest(request: WriteRequest): Wanted {
  const { call, place, existing, how } = request;
  if (how === 'patch' && !existing)
    throw eventErrors.ResourceNotFound({ name: place.name, scope: place.scope }, { target: 'eventSubscriptionName' });
  const badName = existing ? [] : wrongName(place.name, settingsOf(call.jar).strictNames ?? false);
  const context = contextOf(request);
  const body = readMembers(how, call, context, badName);
  const { definition, secrets, sentAttributes } = definitionOf(body, context);
  const hasSecrets = Object.keys(secrets).length > 0;
  const sealed = hasSecrets ? { sealed: sealSecrets(call.jar.vault, secrets) } : {};
  return { definition: { ...definition, ...sealed }, sentAttributes };
}

const NAME = /^[a-z0-9-]{3,64}$/i;
const STRICT_NAME = /^[a-z0-9]{3,64}$/i;

function wrongName(name: string, strict: boolean): ApiError[] {
  if ((strict ? STRICT_NAME : NAME).test(name)) return [];
  const rule = strict ? 'letters and digits' : 'letters, digits and hyphens';
  return [mistake('eventSubscriptionName', `The name of an event subscription has 3 to 64 ${rule}.`)];
}

function contextOf({ call, parent, existing, how }: WriteRequest): ReadContext {
  const { jar } = call;
  const known = existing && shownDefinition(existing);
  return {
    now: jar.clock.now(),
    mayUseHttp: (url) => jar.outbound.guard.mayUseHttp(url),
    inputSchema: inputSchemaOf(parent),
    identity: parent.resource?.extra.identity,
    known,
    knownSecrets: readableSecrets(jar.vault, known),
    keepsAddress: how === 'patch',
    keptSchema: how === 'put' ? known?.eventDeliverySchema : undefined,
    defaultEventTypes: defaultEventTypes(parent.topicType, armFacts(call).prefix),
  };
}

const INPUT_SCHEMAS: readonly string[] = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomEventSchema'];

/** Parents that nobody publishes to send events in the native schema. */
function inputSchemaOf({ resource }: Parent): InputSchema {
  if (resource?.type === PARTNER_TOPIC.type) return 'CloudEventSchemaV1_0';
  const schema = resource?.properties.inputSchema;
  const isOurs = resource?.type.toLowerCase().startsWith('vendor.eventgrid/');
  return isOurs && INPUT_SCHEMAS.includes(schema as string) ? (schema as InputSchema) : 'EventGridSchema';
}

type Members = Readonly<Record<string, unknown>>;

interface Sent {
  /** Path of the members. */
  readonly at: string;
  readonly members: Members;
  /** Names of the members that were sent. */
  readonly names: readonly string[];
}

/** Throws with all mistakes, the one of the name first. */
function readMembers(
  how: 'put' | 'patch',
  call: EventsCall,
  context: ReadContext,
  badName: readonly ApiError[],
): DefinitionBody {
  const { body, jar } = call;
  const { view } = armFacts(call);
  const { rules } = view;
  const options = { context, wording: SUBSCRIPTION_WORDING, blankIsMissing: true, aliases: jar.config.namespace };
  const refuse = (mistakes: Mistakes): void => {
    const count = mistakes.count + badName.length;
    if (count > 0)
      throw allInOne([...badName, ...mistakes.errors({ entriesFirst: true })].slice(0, MOST_DETAILS), count);
  };
  if (how === 'put') {
    const reading = readBody(PUT_BODY, body, { ...options, rules });
    refuse(reading.mistakes);
    return reading.value.properties ?? {};
  }
  const { at, members, names } = patchMembers(body, context.known, view);
  // Members that were not sent keep their stored value, which may be newer than the api-version of the request.
  const reading = readBody(DEFINITION, members, { ...options, at, rules: rules?.forMembers(names, at) });
  refuse(reading.mistakes);
  return reading.value;
}

/**
 * Members that are not sent stay unchanged; null restores the default. Members are flat, but nesting under `properties` is accepted. Of two
 * members that exclude each other, the one sent wins.
 */
function patchMembers(body: unknown, known: Definition | undefined, view: VersionView): Sent {
  const { properties, ...others } = withDeclaredNames(PUT_BODY, body);
  const flat = withDeclaredNames(DEFINITION, others);
  const nested = withDeclaredNames(DEFINITION, properties);
  const sent: Members = { ...nested, ...flat };
  const before: Members = known ? definitionView(known, 'Vendor') : {};
  const kept = Object.entries(sent).map(([name, value]) => [name, keepNewer(view, name, value, before[name])]);
  const members: Record<string, unknown> = { ...before, ...Object.fromEntries(kept) };
  for (const [one, other] of EITHER) {
    if (isObject(sent[one]) && sent[other] === undefined) delete members[other];
    if (isObject(sent[other]) && sent[one] === undefined) delete members[one];
  }
  const isNested = Object.keys(flat).length === 0 && Object.keys(nested).length > 0;
  return { at: isNested ? 'properties' : '', members, names: Object.keys(sent) };
}

/** A request with an older api-version keeps members unknown to that version, unless the endpoint type changes. */
function keepNewer(view: VersionView, name: string, sent: unknown, before: unknown): unknown {
  return endpointTypeOf(sent) === endpointTypeOf(before) ? view.keepUnread(name, sent, before) : sent;
}

const ANYTHING = custom((given) => given);
const DESTINATION_NAMES = object({ destination: ANYTHING, endpointType: ANYTHING });

/** Endpoint type of a destination, or of a member that contains one; undefined for other members. */
function endpointTypeOf(member: unknown): string | undefined {
  if (!isObject(member)) return undefined;
  const { destination, endpointType } = withDeclaredNames(DESTINATION_NAMES, member);
  return typeof endpointType === 'string' ? endpointType.toLowerCase() : endpointTypeOf(destination);
}
