import { asJson } from '../../../kernel/arm/body/index.ts';
import {
  type AnyArmCode,
  checkTags,
  gatewayErrors,
  idOf,
  operationHeaders,
  originOf,
  type Resource,
  resources,
  systemDataAfter,
} from '../../../kernel/arm/index.ts';
import { created } from '../../../kernel/http/index.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { POLLING } from '../versions.ts';
import { beginWrite } from './finish.ts';
import { identityAfter } from './identity.ts';
import type { Kind } from './kinds.ts';
import { PatchSchema } from './schema.ts';
import { checkTogether, checkUnchanged, readTopic, type Sent, storedSettings } from './settings.ts';
import { publishingView } from './view.ts';

/** Changes the members that were sent; the answer shows the write as still running, as for a PUT. */
export const patchOf = (kind: Kind): AnyArmCode =>
  armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
    body: PatchSchema,
    async handle(patch, arm) {
      const { params, body } = patch;
      const call: EventsCall = patch;
      const tags = body.tags ? checkTags(body.tags) : undefined;
      const sent = readTopic(kind, body, arm.view.rules);
      const origin = originOf(call);
      const key = idOf(kind, params, arm).toLowerCase();
      const { resource, operation } = await call.jar.store.transact(async (tx) => {
        const before = (await tx.get(resources, key))?.value;
        if (!before) {
          const { resourceName: name, resourceGroupName: group } = params;
          throw gatewayErrors.ResourceNotFound({ type: kind.type, name, group });
        }
        const resource = { ...changed(call, before, sent), ...(tags && { tags }) };
        const { location = '', createdAt } = before;
        await tx.put(resources, key, resource);
        const operation = await beginWrite(tx, call, { key, location, createdAt, origin });
        return { resource, operation };
      });
      arm.recorded = true;
      const view = publishingView(resource, arm.prefix, true, undefined, call);
      return created(view, operationHeaders(call, operation, 'status', POLLING));
    },
  });

function changed(call: EventsCall, before: Resource, { body, settings }: Sent): Resource {
  const had = storedSettings(before);
  checkUnchanged(settings, had);
  checkTogether({ ...had, ...settings });
  const properties = { ...before.properties, ...asJson(settings), provisioningState: 'Updating' };
  const { identity: identityBefore, systemData, ...extra } = before.extra;
  const identity = identityAfter(call, body.identity, identityBefore, 'patch');
  return {
    ...before,
    properties,
    extra: {
      ...extra,
      ...(identity !== undefined && { identity }),
      systemData: systemDataAfter(call, systemData),
    },
    changedAt: call.jar.clock.now(),
  };
}
