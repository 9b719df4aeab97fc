import type { EventSubscription } from '../../collections.ts';
import type { Definition } from '../../definition.ts';
import { eventErrors } from '../../errors.ts';
import type { InputSchema } from '../../event.ts';
import type { EventsCall } from '../../jar.ts';
import { readableSecrets, sealSecrets } from '../../secrets.ts';
import { settingsOf } from '../../settings.ts';
import type { Place } from '../place.ts';
import type { Parent } from '../scope.ts';
import { definitionView, shownDefinition } from '../view.ts';
import type { ReadContext } from './context.ts';
import { readDefinition } from './definition.ts';
import { Fields, isObject, type Members } from './fields.ts';
import { Mistakes } from './mistakes.ts';

export interface WriteRequest {
  readonly call: EventsCall;
  readonly place: Place;
  readonly parent: Parent;
  readonly existing: EventSubscription | undefined;
  readonly how: 'put' | 'patch';
}

/** What a PUT or a PATCH asks for; throws with all that is wrong with it. */
export function readRequest(request: WriteRequest): Definition {
  const { call, place, existing, how } = request;
  if (how === 'patch' && !existing)
    throw eventErrors.ResourceNotFound({ name: place.name, scope: place.scope }, { target: 'eventSubscriptionName' });
  const mistakes = new Mistakes();
  if (!existing) checkName(place.name, settingsOf(call.jar).strictNames ?? false, mistakes);
  const context = contextOf(request);
  const { at, members } = how === 'put' ? putMembers(call.body, mistakes) : patchMembers(call.body, context.known);
  const { definition, secrets } = readDefinition(new Fields(members, at, mistakes), context);
  if (mistakes.any) throw mistakes.error();
  const hasSecrets = Object.keys(secrets).length > 0;
  return { ...definition, ...(hasSecrets && { sealed: sealSecrets(call.jar.vault, secrets) }) };
}

const NAME = /^[a-z0-9-]{3,64}$/i;
const STRICT_NAME = /^[a-z0-9]{3,64}$/i;

function checkName(name: string, strict: boolean, mistakes: Mistakes): void {
  if ((strict ? STRICT_NAME : NAME).test(name)) return;
  const rule = strict ? 'letters and digits' : 'letters, digits and hyphens';
  mistakes.add('eventSubscriptionName', `The name of an event subscription has 3 to 64 ${rule}.`);
}

function contextOf({ call, parent, existing }: WriteRequest): ReadContext {
  const { jar } = call;
  const known = existing && shownDefinition(existing);
  return {
    aliases: jar.config.namespace,
    now: jar.clock.now(),
    mayUseHttp: (url) => jar.outbound.guard.mayUseHttp(url),
    inputSchema: inputSchemaOf(parent),
    identity: parent.resource?.extra.identity,
    known,
    knownSecrets: readableSecrets(jar.vault, known),
  };
}

const INPUT_SCHEMAS: readonly string[] = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomEventSchema'];

/** What is not published comes in the native schema. */
function inputSchemaOf({ resource }: Parent): InputSchema {
  const schema = resource?.properties.inputSchema;
  const isOurs = resource?.type.toLowerCase().startsWith('vendor.eventgrid/');
  return isOurs && INPUT_SCHEMAS.includes(schema as string) ? (schema as InputSchema) : 'EventGridSchema';
}

interface Sent {
  /** The path of the members. */
  readonly at: string;
  readonly members: Members;
}

function putMembers(body: unknown, mistakes: Mistakes): Sent {
  const sent = new Fields(body as Members, '', mistakes).object('properties');
  return { at: 'properties', members: sent ? ((body as Members).properties as Members) : {} };
}

/** Of two members that exclude one another the newer one stays. */
const EITHER = [
  ['destination', 'deliveryWithResourceIdentity'],
  ['deadLetterDestination', 'deadLetterWithResourceIdentity'],
] as const;

/** What is not sent stays as it is; null puts it back to its default. Members are flat; nested under `properties` will do. */
function patchMembers(body: unknown, known: Definition | undefined): Sent {
  const { properties, ...flat } = body as Members;
  const nested = isObject(properties) ? properties : {};
  const sent: Members = { ...nested, ...flat };
  const members: Record<string, unknown> = { ...(known && definitionView(known, 'Vendor')), ...sent };
  for (const [one, other] of EITHER) {
    if (isObject(sent[one]) && sent[other] === undefined) delete members[other];
    if (isObject(sent[other]) && sent[one] === undefined) delete members[one];
  }
  const isNested = Object.keys(flat).length === 0 && Object.keys(nested).length > 0;
  return { at: isNested ? 'properties' : '', members };
}
