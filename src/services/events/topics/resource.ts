import { asJson } from '../../../kernel/arm/body/index.ts';
import {
  armFacts,
  type ResourceDefinition,
  type ResourceWrite,
  type Subscription,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { accessKeys, endpoints } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { keptDecisions } from '../private-links/decisions.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { POLLING } from '../versions.ts';
import { newKeys } from './access-keys.ts';
import { beginWrite } from './finish.ts';
import { endpointKey, forgetPublishing } from './forget.ts';
import { identityAfter } from './identity.ts';
import { DOMAIN, type Kind, TOPIC } from './kinds.ts';
import { NAME, NAME_RULE } from './names.ts';
import { patchOf } from './patch.ts';
import { removeOf } from './remove.ts';
import { BodySchema } from './schema.ts';
import {
  checkTogether,
  checkUnchanged,
  defaultsOf,
  readTopic,
  type Sent,
  type Settings,
  storedSettings,
} from './settings.ts';
import { type Answered, publishingView } from './view.ts';

/** Members beside `properties` that are accepted, stored and shown, without effect. */
const KEPT = ['sku', 'kind', 'extendedLocation'] as const;

const definitionOf = (kind: Kind): ResourceDefinition<Sent, Answered, EventsJar> => ({
  ...kind,
  versions: EVENT_VERSIONS,
  body: BodySchema,
  namePattern: NAME,
  badName: (name) =>
    eventErrors.InvalidRequest(
      { reason: `The ${kind.word} name '${name.slice(0, 60)}' is not valid: ${NAME_RULE}.` },
      { target: 'name' },
    ),
  polling: POLLING,
  alwaysCreated: true,
  prepare: (_call, arm, { body }) => readTopic(kind, body, arm.view.rules),
  write: (write) => writeResource(kind, write),
  view: publishingView,
  patch: patchOf(kind),
  remove: removeOf(kind, (tx, resource, jar) => forgetPublishing(tx, resource, jar, kind.quota)),
  onDelete: (tx, resource, jar: EventsJar) => forgetPublishing(tx, resource, jar, kind.quota),
});

export const TOPIC_DEFINITION = definitionOf(TOPIC);
export const DOMAIN_DEFINITION = definitionOf(DOMAIN);

/** Handles a PUT in one transaction: settings, address, keys, quota, operation and the work that ends it. */
async function writeResource(kind: Kind, write: ResourceWrite<Sent, EventsJar>): Promise<Written<Answered>> {
  const { tx, call, key, location = '', existing, prepared, origin } = write;
  const { body, settings: given } = prepared;
  const before = existing && storedSettings(existing);
  if (before) checkUnchanged(given, before);
  const settings: Settings = {
    ...defaultsOf(kind),
    ...(before && { inputSchema: before.inputSchema, inputSchemaMapping: before.inputSchemaMapping }),
    ...given,
  };
  checkTogether(settings);
  const identity = identityAfter(call, body.identity, existing?.extra.identity, 'put');
  if (!existing) await allocatePublishing(kind, write);

  const createdAt = existing?.createdAt ?? write.now;
  const operation = await beginWrite(tx, call, { key, location, createdAt, origin });
  const kept = KEPT.flatMap((member) => (body[member] ? [[member, body[member]] as const] : []));
  return {
    properties: {
      provisioningState: existing ? 'Updating' : 'Creating',
      ...asJson(settings),
      metricResourceId: existing?.properties.metricResourceId ?? uuid(),
    },
    extra: {
      ...asJson(Object.fromEntries(kept)),
      ...(identity !== undefined && { identity }),
      ...keptDecisions(existing),
      systemData: systemDataAfter(call, existing?.extra.systemData),
    },
    operation,
    companion: { sent: given },
  };
}

/** Creates what a new resource needs: quota, endpoint and keys. */
export async function allocatePublishing(
  kind: Pick<Kind, 'quota'> & { readonly word: string },
  { tx, call, key, name, location = '' }: ResourceWrite<unknown, EventsJar>,
): Promise<void> {
  const { jar } = call;
  const endpoint = endpointKey(location, name);
  await tx.lock(`${endpoints.name}:${endpoint}`);
  if (await tx.get(endpoints, endpoint))
    throw eventErrors.NameAlreadyTaken({ name, region: location }, { target: 'name' });
  await tx.put(endpoints, endpoint, { resourceKey: key });
  await tx.put(accessKeys, key, newKeys(jar.vault));
  const { subscriptionId } = armFacts(call).subscription as Subscription;
  const scope = [subscriptionId.toLowerCase(), location];
  const { allowed, maximum } = await jar.limits.takeQuota(tx, { limit: kind.quota, scope });
  if (allowed) return;
  const place = `of the subscription in region '${location}'`;
  throw eventErrors.QuotaReached({ limit: maximum, unit: `${kind.word}s`, place });
}
