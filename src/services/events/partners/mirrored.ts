import type { ValueOf } from '../../../kernel/arm/body/index.ts';
import {
  type AnyArmCode,
  type ArmFacts,
  checkTags,
  idOf,
  mutate,
  operationHeaders,
  originOf,
  type Resource,
  type ResourceDefinition,
  type ResourceHead,
  resources,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { created, ok } from '../../../kernel/http/index.ts';
import { eventErrors } from '../errors.ts';
import { armCode, type EventsCall, type EventsJar } from '../jar.ts';
import { notFound } from '../topics/find.ts';
import { beginWrite } from '../topics/finish.ts';
import { identityAfter } from '../topics/identity.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { POLLING } from '../versions.ts';
import { IDENTITY_BODY, readPartner } from './body.ts';
import { CHANNEL_GONE, forgetTarget, noteReadiness } from './channel-store.ts';
import { partnerErrors } from './errors.ts';
import { PARTNER_DESTINATION, PARTNER_TOPIC } from './kinds.ts';
import { lockTarget } from './lock.ts';
import { badName, CHANNEL_NAME, CHANNEL_NAME_RULE } from './names.ts';
import { patchSchema } from './patch.ts';
import { removeOf } from './remove.ts';
import { partnerView } from './view.ts';

/** Partner topics and partner destinations: created by partners' channels; the customer activates, tags and deletes them. */

const PARAMS = ['subscriptionId', 'resourceGroupName', 'resourceName'] as const;

type Sent = ValueOf<typeof IDENTITY_BODY>;
type State = 'Activated' | 'Deactivated';

const definitionOf = (head: ResourceHead, word: string): ResourceDefinition<Sent, undefined, EventsJar> => ({
  ...head,
  versions: EVENT_VERSIONS,
  body: IDENTITY_BODY.schema(),
  namePattern: CHANNEL_NAME,
  badName: badName(word, CHANNEL_NAME_RULE),
  alwaysOk: true,
  prepare(call, arm, { body, existing, name }) {
    if (existing) return readPartner(IDENTITY_BODY, call, arm, body);
    const reason = `There is no ${word} '${name}': it is created by a channel of its partner, and can only be changed here.`;
    throw eventErrors.InvalidRequest({ reason }, { target: 'name' });
  },
  write({ call, existing, prepared, name }) {
    if (!existing) throw notFound(call.facts.arm as ArmFacts, head.type, name);
    const { identity: before, systemData, ...extra } = existing.extra;
    const identity = identityAfter(call, prepared.identity, before, 'put');
    return {
      properties: existing.properties,
      extra: {
        ...extra,
        ...(identity !== undefined && { identity }),
        systemData: systemDataAfter(call, systemData),
      },
    };
  },
  view: partnerView,
  patch: patchOf(head),
  onDelete: forgetTarget,
  remove: removeOf({ ...head, onDelete: forgetTarget }, 202),
});

/** Tags change immediately; a change of the identity continues after the answer. */
const patchOf = (head: ResourceHead): AnyArmCode =>
  armCode(PARAMS, {
    body: patchSchema(IDENTITY_BODY),
    async handle(patch, arm) {
      const { params, body } = patch;
      const call: EventsCall = patch;
      const tags = body.tags ? checkTags(body.tags) : undefined;
      const sent = readPartner(IDENTITY_BODY, call, arm, body);
      const key = idOf(head, params, arm).toLowerCase();
      const origin = originOf(call);
      const change = async (tx: Parameters<Parameters<typeof mutate>[1]>[0]): Promise<Resource> => {
        await lockTarget(tx, key);
        const before = (await tx.get(resources, key))?.value;
        if (!before) throw notFound(arm, head.type, params.resourceName);
        const { identity: had, systemData, ...extra } = before.extra;
        const identity = identityAfter(call, sent.identity, had, 'patch');
        const after: Resource = {
          ...before,
          ...(tags && { tags }),
          ...(sent.identity && { properties: { ...before.properties, provisioningState: 'Updating' } }),
          extra: {
            ...extra,
            ...(identity !== undefined && { identity }),
            systemData: systemDataAfter(call, systemData),
          },
          changedAt: call.jar.clock.now(),
        };
        await tx.put(resources, key, after);
        return after;
      };
      if (!sent.identity) return ok(partnerView(await mutate(call, change), arm.prefix, true, undefined, call));
      const { resource, operation } = await call.jar.store.transact(async (tx) => {
        const resource = await change(tx);
        const { location = '', createdAt } = resource;
        return { resource, operation: await beginWrite(tx, call, { key, location, createdAt, origin }) };
      });
      arm.recorded = true;
      const view = partnerView(resource, arm.prefix, true, undefined, call);
      return created(view, operationHeaders(call, operation, 'status', POLLING));
    },
  });

/** Members that exist only until the customer has decided. */
const UNTIL_DECIDED = ['expirationTimeIfNotActivatedUtc', 'messageForActivation', 'partnerTopicFriendlyDescription'];

const decide = (head: ResourceHead, state: State): AnyArmCode =>
  armCode(PARAMS, {
    async handle(call, arm) {
      const key = idOf(head, call.params, arm).toLowerCase();
      const resource = await mutate(call, async (tx) => {
        await lockTarget(tx, key);
        const before = (await tx.get(resources, key))?.value;
        if (!before) throw notFound(arm, head.type, call.params.resourceName);
        const { provisioningState } = before.properties;
        if (provisioningState === CHANNEL_GONE) throw partnerErrors.ChannelDeleted({ name: before.name });
        const kept = Object.entries(before.properties).filter(([name]) => !UNTIL_DECIDED.includes(name));
        const after = { ...before, properties: { ...Object.fromEntries(kept), activationState: state } };
        await tx.put(resources, key, { ...after, changedAt: call.jar.clock.now() });
        await noteReadiness(tx, before, state);
        return after;
      });
      return ok(partnerView(resource, arm.prefix, true, undefined, call));
    },
  });

export const PARTNER_TOPIC_DEFINITION = definitionOf(PARTNER_TOPIC, 'partner topic');
export const PARTNER_DESTINATION_DEFINITION = definitionOf(PARTNER_DESTINATION, 'partner destination');
export const activateTopic = decide(PARTNER_TOPIC, 'Activated');
export const deactivateTopic = decide(PARTNER_TOPIC, 'Deactivated');
export const activateDestination = decide(PARTNER_DESTINATION, 'Activated');
