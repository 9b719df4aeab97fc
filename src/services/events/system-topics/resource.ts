import { asJson } from '../../../kernel/arm/body/index.ts';
import {
  armFacts,
  type Resource,
  type ResourceDefinition,
  type ResourceWrite,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { removeSubscriptionsOf } from '../subscriptions/remove.ts';
import { invalid } from '../topics/body.ts';
import { beginWrite } from '../topics/finish.ts';
import { identityAfter } from '../topics/identity.ts';
import { NAME, NAME_RULE } from '../topics/names.ts';
import { removeOf } from '../topics/remove.ts';
import { type Answered, commonView } from '../topics/view.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { SYSTEM_POLLING } from '../versions.ts';
import { BodySchema, readSystemTopic, type SystemTopicBody } from './body.ts';
import { GLOBAL, SYSTEM_TOPIC } from './kind.ts';
import { patchSystemTopic } from './patch.ts';
import { checkSource, claimSource, freeSource, lockSource } from './source.ts';
import { type SystemTopicProperties, sourceKeyOf, storedSource, topicTypeIn } from './stored.ts';

export const SYSTEM_TOPIC_DEFINITION: ResourceDefinition<SystemTopicBody, Answered, EventsJar> = {
  ...SYSTEM_TOPIC,
  versions: EVENT_VERSIONS,
  body: BodySchema,
  namePattern: NAME,
  badName: (name) =>
    eventErrors.InvalidRequest(
      { reason: `The name '${name.slice(0, 60)}' of a system topic is not valid: ${NAME_RULE}.` },
      { target: 'name' },
    ),
  polling: SYSTEM_POLLING,
  async prepare(call, arm, { existing }) {
    const body = readSystemTopic(call.body, arm.view.rules);
    const { source, topicType } = wanted(body, existing);
    if (!existing) await checkSource(call, arm, source, topicTypeIn(call.jar, topicType));
    return body;
  },
  write: writeSystemTopic,
  view: (resource, prefix, _full, answered, call) =>
    commonView(resource, prefix, { properties: resource.properties, answered, call }),
  patch: patchSystemTopic,
  remove: removeOf(SYSTEM_TOPIC, forgetSystemTopic, SYSTEM_POLLING),
  onDelete: forgetSystemTopic,
};

/** Source and topic type from the body or the existing resource; throws if one is missing or would change. */
function wanted({ properties = {} }: SystemTopicBody, existing: Resource | undefined): SystemTopicProperties {
  const before = existing && storedSource(existing);
  const settle = (member: 'source' | 'topicType'): string => {
    const target = `properties.${member}`;
    const given = properties[member];
    const value = given ?? before?.[member];
    if (value === undefined) throw invalid(target, 'it is missing');
    if (before && given !== undefined && given.toLowerCase() !== before[member].toLowerCase())
      throw invalid(target, 'it cannot be changed after the creation; delete the resource and create it again');
    return value;
  };
  return { source: settle('source'), topicType: settle('topicType') };
}

/** Complete with the answer, unless an identity is set: that continues after the answer. */
async function writeSystemTopic(write: ResourceWrite<SystemTopicBody, EventsJar>): Promise<Written<Answered>> {
  const { tx, call, key, existing, prepared: body, location = '', origin } = write;
  const { jar } = call;
  const { source, topicType } = wanted(body, existing);
  const { encryption, platformCapabilities } = body.properties ?? {};
  if (!existing) {
    const parent = await lockSource(tx, jar, armFacts(call), source);
    const type = topicTypeIn(jar, topicType);
    checkLocation(location, type.isGlobal ? GLOBAL : parent.isForeign ? undefined : parent.location);
    await claimSource(tx, sourceKeyOf(jar, source), type, key);
  }
  const identity = identityAfter(call, body.identity, existing?.extra.identity, 'put');
  const createdAt = existing?.createdAt ?? write.now;
  const operation = body.identity && (await beginWrite(tx, call, { key, location, createdAt, origin }));
  const state = operation ? (existing ? 'Updating' : 'Creating') : 'Succeeded';
  return {
    properties: {
      provisioningState: state,
      source: existing ? storedSource(existing).source : source,
      topicType: existing ? storedSource(existing).topicType : topicType,
      metricResourceId: existing?.properties.metricResourceId ?? uuid(),
      ...asJson({ ...(encryption && { encryption }), ...(platformCapabilities && { platformCapabilities }) }),
    },
    extra: {
      ...(identity !== undefined && asJson({ identity })),
      systemData: systemDataAfter(call, existing?.extra.systemData),
    },
    ...(operation && { operation }),
    status: operation ? 201 : 200,
    companion: { sent: body },
  };
}

function checkLocation(location: string, expected: string | undefined): void {
  if (expected === undefined ? location !== GLOBAL : location === expected) return;
  const reason =
    expected === undefined ? 'its source is in a region' : `it must be that of the source, which is ${expected}`;
  throw invalid('location', reason);
}

/** Deletes what belongs to a system topic. */
export async function forgetSystemTopic(tx: Tx, resource: Resource, jar: EventsJar): Promise<void> {
  const key = resource.id.toLowerCase();
  await freeSource(tx, sourceKeyOf(jar, storedSource(resource).source), key);
  await removeSubscriptionsOf(tx, jar, key);
}
