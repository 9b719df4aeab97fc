import {
  type AnyArmCode,
  type ArmFacts,
  armFacts,
  beginOperation,
  idOf,
  mutate,
  originOf,
  type Resource,
  type ResourceDefinition,
  type ResourceWrite,
  releaseResourceQuota,
  resources,
  resourceView,
  type Subscription,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import { noContent } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { Person } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareJar } from '../jar.ts';
import { QUOTAS } from '../limits.ts';
import { object, read, text } from '../model/body.ts';
import { callerOf, shownPerson } from '../model/people.ts';
import { uidOf } from '../model/places.ts';
import { quotaHeader, takeUnit } from '../model/quota-header.ts';
import { removeLater } from '../model/removals.ts';
import { accepted202 } from '../operations.ts';
import { ACCOUNT, NAMESPACE } from '../types.ts';
import { DATASHARE_VERSIONS } from '../version-table.ts';
import { FINISH_ACCOUNT } from '../work.ts';

/** An account contains shares and share subscriptions. It is an ordinary resource, except for its deletion. */

const BODY = object({ identity: object({ type: text() }) });
const NAME = /^[a-z0-9](?:[a-z0-9-]{1,88}[a-z0-9])$/i;
const NAME_RULE = 'it must be 3 to 90 letters, digits and hyphens, and begin and end with a letter or digit';

/** Writes the account, its use of the quota and the work that finishes its creation in one commit. */
async function writeAccount(write: ResourceWrite<Person, DataShareJar>): Promise<Written<undefined>> {
  const { tx, call, key, id, existing, prepared, now } = write;
  const { subscriptionId, tenantId } = subscriptionIn(id, call);
  const counted = { scope: subscriptionId.toLowerCase(), owner: `/subscriptions/${subscriptionId}`, target: id };
  const standing = await takeUnit(tx, call.jar, QUOTAS.account, counted, !existing);
  const headers = quotaHeader(standing, armFacts(call).prefix);
  const systemData = systemDataAfter(call, existing?.extra.systemData);
  if (existing)
    return {
      properties: existing.properties,
      extra: { ...existing.extra, systemData },
      headers,
    };
  const uid = uuid();
  await tx.schedule(FINISH_ACCOUNT.at(now, { key, uid }, `datashare.account:${uid}`));
  const identity: Json = { type: 'SystemAssigned', principalId: uuid(), tenantId };
  return {
    properties: { createdAt: isoTime(now), provisioningState: 'Creating', ...shownPerson(prepared) },
    extra: { uid, identity, systemData },
    headers: { ...headers, location: `${call.origin}${call.url}` },
  };
}

const subscriptionIn = (id: string, call: ResourceWrite<Person, DataShareJar>['call']) => ({
  subscriptionId: id.split('/')[2] ?? '',
  tenantId: call.caller?.tenantId ?? '',
});

export const finishAccount = workHandler(FINISH_ACCOUNT, (item, jar: DataShareJar) =>
  jar.store.transact(async (tx) => {
    const { key, uid } = item.payload;
    const account = (await tx.get(resources, key))?.value;
    if (account && uidOf(account) === uid)
      await tx.put(resources, key, {
        ...account,
        properties: { ...account.properties, provisioningState: 'Succeeded' },
      });
    await tx.complete(item);
  }),
);

/** Frees the account's quota at once; its contents can no longer be found and are removed by due work. */
export async function forgetAccount(tx: Tx, resource: Resource, jar: DataShareJar, operation?: string): Promise<void> {
  const uid = uidOf(resource);
  await jar.limits.freeQuota(tx, { limit: QUOTAS.account, scope: [resource.subscriptionId.toLowerCase()] });
  await removeLater(tx, { of: 'account', uid, ...(operation !== undefined && { operation }) }, jar.clock.now());
}

const PARAMS = ['subscriptionId', 'resourceGroupName', 'resourceName'] as const;

/** Returns 202 and an operation that ends when the account's contents are removed; 204 if the account does not exist. */
const removeAccount: AnyArmCode = armCode(PARAMS, {
  responses: {
    202: 'Accepted; the Location header gives the URL of the operation',
    204: 'The resource does not exist',
  },
  async handle(call, arm: ArmFacts) {
    const operation = await mutate(call, async (tx) => {
      const key = idOf(ACCOUNT, call.params, arm).toLowerCase();
      const stored = await tx.get(resources, key);
      if (!stored) return undefined;
      const { location = '' } = stored.value;
      const { subscriptionId } = arm.subscription as Subscription;
      const about = { subscriptionId, location, namespace: NAMESPACE, origin: originOf(call) };
      const begun = await beginOperation(tx, about, call.jar.clock.now());
      await forgetAccount(tx, stored.value, call.jar, begun.id);
      await tx.delete(resources, key);
      await releaseResourceQuota(tx, call.jar, [stored.value]);
      return begun;
    });
    return operation ? accepted202(call, operation) : noContent();
  },
});

export const ACCOUNT_DEFINITION: ResourceDefinition<Person, undefined, DataShareJar> = {
  ...ACCOUNT,
  versions: DATASHARE_VERSIONS,
  body: BODY.schema(),
  namePattern: NAME,
  badName: (name) =>
    dataShareErrors.InvalidName({ name: name.slice(0, 100), reason: NAME_RULE }, { target: 'accountName' }),
  prepare(call, arm, { body }) {
    const { identity } = read(BODY, body, arm.view.rules);
    if (identity?.type?.toLowerCase() !== 'systemassigned')
      throw dataShareErrors.IdentityRequired({}, { target: 'identity.type' });
    return callerOf(call);
  },
  write: writeAccount,
  view({ extra, ...resource }, prefix) {
    const { uid: _, ...shown } = extra;
    const { tags, ...view } = resourceView({ ...resource, extra: shown }, prefix);
    // Unlike other providers, this one omits empty tags.
    return Object.keys(resource.tags).length > 0 ? { ...view, tags } : view;
  },
  remove: removeAccount,
  onDelete: (tx, resource, jar: DataShareJar) => forgetAccount(tx, resource, jar),
};
