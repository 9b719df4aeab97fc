import { Type } from 'typebox';
import {
  type AnyArmCode,
  checkTags,
  gatewayErrors,
  idOf,
  mutate,
  resources,
  resourceView,
  TagsSchema,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { armCode } from '../../../kernel/service/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { membersOf, merged } from './contents.ts';
import { RecordBody, recordOf } from './record.ts';
import type { ForeignType } from './rows.ts';

const PatchBody = Type.Intersect([
  RecordBody,
  Type.Object({ tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])) }),
]);

/** Merges the body into the record; tags are replaced as a whole. */
export const patchForeign = (type: ForeignType): AnyArmCode =>
  armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
    body: PatchBody,
    async handle(call, arm) {
      const id = idOf(type, call.params, arm);
      const { tags: sentTags, ...sent } = call.body;
      const tags = sentTags ? checkTags(sentTags) : undefined;
      const resource = await mutate(call, async (tx) => {
        const key = id.toLowerCase();
        const before = (await tx.get(resources, key))?.value;
        if (!before) {
          const { resourceName: name, resourceGroupName: group } = call.params;
          throw gatewayErrors.ResourceNotFound({ type: type.type, name, group });
        }
        const now = call.jar.clock.now();
        const { name, location } = before;
        const body = merged({ ...before.extra, properties: before.properties }, sent as JsonMembers);
        const record = recordOf(type, { call, id: before.id, name, location, now }, membersOf(body), before);
        const after = { ...before, ...record, ...(tags && { tags }), changedAt: now };
        await tx.put(resources, key, after);
        return after;
      });
      return ok(resourceView(resource, arm.prefix));
    },
  });
