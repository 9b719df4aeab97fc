import { asJson, type ValueOf } from '../../../kernel/arm/body/index.ts';
import {
  type Resource,
  type ResourceDefinition,
  type ResourceWrite,
  resourceKey,
  resources,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { eventErrors } from '../errors.ts';
import type { EventsCall, EventsJar } from '../jar.ts';
import { keptDecisions } from '../private-links/decisions.ts';
import { invalid } from '../topics/body.ts';
import { beginWrite } from '../topics/finish.ts';
import { forgetPublishing } from '../topics/forget.ts';
import { NAME, NAME_RULE } from '../topics/names.ts';
import { allocatePublishing } from '../topics/resource.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { POLLING } from '../versions.ts';
import { NAMESPACE_BODY, readPartner } from './body.ts';
import { removeChannelsOf } from './channel-store.ts';
import { PARTNER_NAMESPACE } from './kinds.ts';
import { PARTNER_NAMESPACES } from './limits.ts';
import { badName } from './names.ts';
import { patchNamespace } from './namespace-patch.ts';
import { removeOf } from './remove.ts';
import { subscriptionOfTenant } from './target.ts';
import { namespaceView } from './view.ts';

/** Partner namespaces, where a partner publishes: an address with its own keys, and the channels to its customers. */

type Sent = ValueOf<typeof NAMESPACE_BODY>;

const ROOM = { quota: PARTNER_NAMESPACES, word: 'partner namespace' };
const DEFAULTS = { disableLocalAuth: false, partnerTopicRoutingMode: 'SourceEventAttribute' };
const FIXED = ['partnerRegistrationFullyQualifiedId', 'partnerTopicRoutingMode'] as const;

export const PARTNER_NAMESPACE_DEFINITION: ResourceDefinition<Sent, undefined, EventsJar> = {
  ...PARTNER_NAMESPACE,
  versions: EVENT_VERSIONS,
  body: NAMESPACE_BODY.schema(),
  namePattern: NAME,
  badName: badName('partner namespace', NAME_RULE),
  polling: POLLING,
  alwaysCreated: true,
  prepare: (call, arm, { body }) => readPartner(NAMESPACE_BODY, call, arm, body),
  write,
  view: namespaceView,
  patch: patchNamespace,
  onDelete: forgetNamespace,
  remove: removeOf({ ...PARTNER_NAMESPACE, onDelete: forgetNamespace }, 202),
};

async function write(put: ResourceWrite<Sent, EventsJar>): Promise<Written<undefined>> {
  const { tx, call, key, location = '', existing, prepared, origin } = put;
  const given = prepared.properties;
  if (existing) checkFixed(given, existing);
  else {
    await findRegistration(tx, call, given.partnerRegistrationFullyQualifiedId);
    await allocatePublishing(ROOM, put);
  }
  const before = existing && { partnerTopicRoutingMode: existing.properties.partnerTopicRoutingMode };
  const operation = await beginWrite(tx, call, { key, location, createdAt: existing?.createdAt ?? put.now, origin });
  return {
    properties: {
      provisioningState: existing ? 'Updating' : 'Creating',
      ...DEFAULTS,
      ...before,
      ...asJson(given),
    },
    extra: { ...keptDecisions(existing), systemData: systemDataAfter(call, existing?.extra.systemData) },
    operation,
  };
}

/** These members cannot change: existing channels depend on them. */
function checkFixed(given: Sent['properties'], { properties: before }: Resource): void {
  for (const name of FIXED) {
    const [wanted, had] = [given[name], before[name]];
    if (wanted === undefined || String(wanted).toLowerCase() === String(had).toLowerCase()) continue;
    throw invalid(`properties.${name}`, 'it cannot be changed after the creation');
  }
}

/** Finds a partner registration in the caller's tenant. */
export async function findRegistration(tx: Tx, call: EventsCall, id: string): Promise<Resource> {
  const key = resourceKey(id, call.jar.config.namespace);
  const [, , subscription = ''] = key.split('/');
  const isOwn = await subscriptionOfTenant(tx, call, subscription);
  const registration = isOwn && (await tx.get(resources, key, 'share'))?.value;
  if (registration) return registration;
  throw eventErrors.InvalidRequest(
    { reason: `The partner registration '${id}' was not found.` },
    { target: 'properties.partnerRegistrationFullyQualifiedId' },
  );
}

/** Deletes what belongs to a partner namespace: its address, keys and channels. The channels' targets stay with the customers. */
export async function forgetNamespace(tx: Tx, resource: Resource, jar: EventsJar): Promise<void> {
  await removeChannelsOf(tx, jar, resource.id.toLowerCase());
  await forgetPublishing(tx, resource, jar, PARTNER_NAMESPACES);
}
