import {
  checkTags,
  gatewayErrors,
  idOf,
  operationHeaders,
  originOf,
  recordOutcome,
  resources,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { created, ok } from '../../../kernel/http/index.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { beginWrite } from '../topics/finish.ts';
import { identityAfter } from '../topics/identity.ts';
import { PatchSchema } from '../topics/schema.ts';
import { commonView } from '../topics/view.ts';
import { SYSTEM_POLLING } from '../versions.ts';
import { readSystemTopic } from './body.ts';
import { SYSTEM_TOPIC } from './kind.ts';

/** Tags change immediately; a change of the identity continues after the answer. */
export const patchSystemTopic = armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
  body: PatchSchema,
  async handle(patch, arm) {
    const { params, body } = patch;
    const call: EventsCall = patch;
    const { jar } = call;
    const tags = body.tags ? checkTags(body.tags) : undefined;
    const { identity: sent } = readSystemTopic(body, arm.view.rules);
    const origin = originOf(call);
    const key = idOf(SYSTEM_TOPIC, params, arm).toLowerCase();
    const { resource, operation } = await jar.store.transact(async (tx) => {
      const before = (await tx.get(resources, key))?.value;
      if (!before) {
        const { resourceName: name, resourceGroupName: group } = params;
        throw gatewayErrors.ResourceNotFound({ type: SYSTEM_TOPIC.type, name, group });
      }
      const now = jar.clock.now();
      const { identity: identityBefore, systemData, ...extra } = before.extra;
      const identity = identityAfter(call, sent, identityBefore, 'patch');
      const { location = '', createdAt } = before;
      const operation = sent && (await beginWrite(tx, call, { key, location, createdAt, origin }));
      const resource = {
        ...before,
        ...(tags && { tags }),
        properties: { ...before.properties, ...(operation && { provisioningState: 'Updating' }) },
        extra: {
          ...extra,
          ...(identity !== undefined && { identity }),
          systemData: systemDataAfter(call, systemData),
        },
        changedAt: now,
      };
      await tx.put(resources, key, resource);
      if (!operation) await recordOutcome(tx, origin, now, 'Succeeded');
      return { resource, operation };
    });
    arm.recorded = true;
    const view = commonView(resource, arm.prefix, { properties: resource.properties, answered: undefined, call });
    return operation ? created(view, operationHeaders(call, operation, 'status', SYSTEM_POLLING)) : ok(view);
  },
});
