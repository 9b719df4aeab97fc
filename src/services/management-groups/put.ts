import { type ArmFacts, originOf } from '../../kernel/arm/index.ts';
import { type Answer, ok } from '../../kernel/http/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import { admitToPut, requireCreateBelow, requireWrite, settingsOf, tenantOf } from './access.ts';
import { bodyValue, GROUP_BODY } from './body.ts';
import { groupErrors } from './errors.ts';
import { GROUPS_IN_TENANT } from './limits.ts';
import { checkName, groupNamedBy } from './names.ts';
import { beginOperation, begunAnswer, refuseUnderWay } from './operations.ts';
import { BegunSchema, GroupSchema } from './schemas.ts';
import { ancestorsOf, checkPlace, countGroups, findGroup, lockTree, parentKey } from './tree.ts';
import { updateGroup } from './update.ts';
import { groupView } from './view.ts';
import { CREATE, itemOf } from './work.ts';

interface Wish {
  readonly displayName: string | undefined;
  /** The name of the parent, as sent; undefined if none was sent. */
  readonly parent: string | undefined;
}

/** Starts the creation of a group, or updates an existing one. */
export const put = armCode(['groupId'], {
  admit: admitToPut,
  body: GROUP_BODY.schema(),
  responses: { 200: GroupSchema, 202: BegunSchema },
  async handle(call, arm): Promise<Answer> {
    const { groupId: name } = call.params;
    checkName(name);
    const wish = readWish(call);
    const existing = await findGroup(call.jar.store, tenantOf(call), name);
    if (!existing) return create(call, arm, name, wish);
    // The group may have been created while the body was being received, after the caller was only checked for its creation.
    await requireWrite(call, name);
    const group = await updateGroup(call, existing, wish);
    return ok(groupView(group, await ancestorsOf(call.jar.store, group), arm));
  },
});

function readWish(call: Call<{ readonly groupId: string }>): Wish {
  const { groupId } = call.params;
  const { name, properties } = bodyValue(GROUP_BODY, call.body);
  if (name && name.toLowerCase() !== groupId.toLowerCase())
    throw groupErrors.BadRequest__OtherName({ name: name.slice(0, 100), group: groupId }, { target: 'name' });
  const id = properties?.details?.parent?.id;
  return {
    displayName: properties?.displayName || undefined,
    parent: id ? groupNamedBy(id, 'properties.details.parent.id', call.jar.config.namespace) : undefined,
  };
}

async function create(call: Call, arm: ArmFacts, name: string, wish: Wish): Promise<Answer> {
  const { jar } = call;
  const tenantId = tenantOf(call);
  const settings = await settingsOf(jar.store, tenantId);
  const parentName = wish.parent ?? settings.defaultManagementGroup ?? tenantId;
  await requireCreateBelow(call, parentName, settings);
  const parent = parentKey(tenantId, parentName);
  const origin = originOf(call);
  const creation = {
    tenantId,
    name,
    displayName: wish.displayName ?? name,
    ...(parent !== undefined && { parent }),
    origin,
  };
  await jar.store.transact(async (tx) => {
    await lockTree(tx, tenantId);
    await refuseUnderWay(tx, tenantId, name);
    // A concurrent request created the group first.
    if (await findGroup(tx, tenantId, name)) throw groupErrors.Conflict__Creating({ group: name });
    await checkPlace(tx, creation, 1);
    // The quota is taken now, so that an accepted creation cannot fail because of it.
    const quota = { limit: GROUPS_IN_TENANT, scope: [tenantId.toLowerCase()] };
    const { allowed, maximum } = await jar.limits.takeQuota(tx, { ...quota, actual: () => countGroups(tx, tenantId) });
    if (!allowed) throw groupErrors.Conflict__Quota({ maximum });
    const key = await beginOperation(tx, 'create', { tenantId, name, by: origin.caller.objectId });
    await tx.schedule(CREATE.at(jar.clock.now(), creation, itemOf(key)));
  });
  // The change record is written when the creation ends.
  arm.recorded = true;
  return begunAnswer(call, arm, 'create', name);
}
