import { Type } from 'typebox';
import { readBody } from '../../../kernel/arm/body/index.ts';
import {
  checkTags,
  gatewayErrors,
  idOf,
  mutate,
  resources,
  systemDataAfter,
  TagsSchema,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { STANDBY_POOL_HEAD } from '../api/types.ts';
import { containerErrors } from '../errors.ts';
import { armCode } from '../jar.ts';
import { isDeleting } from './fill.ts';
import { filled, poolView, readPool } from './pool.ts';
import { POOL } from './schema.ts';

/** The sent members of `properties` replace the stored ones. */
export const patchPool = armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
  body: Type.Intersect([Type.Object({ tags: Type.Optional(TagsSchema) }), POOL.schema()]),
  async handle(call, arm) {
    const { resourceName: name, resourceGroupName: group } = call.params;
    const key = idOf(STANDBY_POOL_HEAD, call.params, arm).toLowerCase();
    const absent = () => gatewayErrors.ResourceNotFound({ type: STANDBY_POOL_HEAD.type, name, group });
    const before = (await readCached(call.jar.store, resources, key))?.value;
    if (!before) throw absent();
    const { draft } = readBody(POOL, call.body, { context: undefined });
    const changes = draft.properties ?? {};
    const changed = await readPool(call, { properties: { ...before.properties, ...changes } }, undefined);
    const tags = call.body.tags && checkTags(call.body.tags);
    const pool = await mutate(call, async (tx) => {
      const stored = (await tx.get(resources, key))?.value;
      if (!stored) throw absent();
      if (isDeleting(stored)) throw containerErrors.StandbyPoolDeleting({ pool: stored.name });
      const updated = {
        ...stored,
        ...(tags && { tags }),
        ...(await filled(tx, call.jar, key, changed)),
        extra: { ...stored.extra, systemData: systemDataAfter(call, stored.extra.systemData) },
        changedAt: call.jar.clock.now(),
      };
      await tx.put(resources, key, updated);
      return updated;
    });
    return ok(poolView(pool, arm.prefix));
  },
});
