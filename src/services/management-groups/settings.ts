import {
  type HierarchySettings,
  hierarchySettings,
  isRootGroup,
  managementGroupKey,
  managementGroups,
  mutate,
  withPrefix,
} from '../../kernel/arm/index.ts';
import { ok } from '../../kernel/http/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import { type Reader, readCached } from '../../kernel/store/index.ts';
import { admitToGroup, tenantOf } from './access.ts';
import { bodyValue, SETTINGS_BODY } from './body.ts';
import { groupErrors } from './errors.ts';
import { groupNamedBy } from './names.ts';
import { SettingsListSchema, SettingsSchema } from './schemas.ts';
import { lockTree, parentKey } from './tree.ts';
import { SETTINGS_TYPE } from './types.ts';
import { groupId } from './view.ts';

/** A tenant's settings for its groups: the default group, and who may create groups. They are a resource of the root group. */

type SettingsCall = Call<{ readonly groupId: string }>;

const write = (how: 'put' | 'patch') =>
  armCode(['groupId'], {
    admit: admitToGroup,
    body: SETTINGS_BODY.schema(),
    responses: { 200: SettingsSchema },
    async handle(call, arm) {
      const tenantId = rootOf(call);
      const sent = bodyValue(SETTINGS_BODY, call.body).properties;
      const settings = await mutate(call, async (tx) => {
        await lockTree(tx, tenantId);
        const known = (await tx.get(hierarchySettings, tenantId.toLowerCase()))?.value;
        if (how === 'patch' && !known) throw groupErrors.NotFound__Settings({ tenant: tenantId });
        const before = how === 'patch' ? known : undefined;
        const { defaultManagementGroup: id } = sent;
        const group = id === undefined ? before?.defaultManagementGroup : await groupFor(tx, call, id);
        const updated: HierarchySettings = {
          requireAuthorizationForGroupCreation:
            sent.requireAuthorizationForGroupCreation ?? before?.requireAuthorizationForGroupCreation ?? false,
          ...(group !== undefined && { defaultManagementGroup: group }),
        };
        await tx.put(hierarchySettings, tenantId.toLowerCase(), updated);
        return updated;
      });
      return ok(await settingsView(call, settings, arm.prefix));
    },
  });

export const put = write('put');
export const patch = write('patch');

export const get = armCode(['groupId'], {
  admit: admitToGroup,
  responses: { 200: SettingsSchema },
  async handle(call, arm) {
    const settings = await find(call);
    if (!settings) throw groupErrors.NotFound__Settings({ tenant: tenantOf(call) });
    return ok(await settingsView(call, settings, arm.prefix));
  },
});

export const list = armCode(['groupId'], {
  admit: admitToGroup,
  responses: { 200: SettingsListSchema },
  async handle(call, arm) {
    const settings = await find(call);
    const value = settings ? [await settingsView(call, settings, arm.prefix)] : [];
    return ok({ value, '@nextLink': null });
  },
});

export const remove = armCode(['groupId'], {
  admit: admitToGroup,
  responses: { 200: 'Deleted' },
  async handle(call) {
    const tenantId = rootOf(call);
    await mutate(call, async (tx) => {
      await lockTree(tx, tenantId);
      if (!(await tx.delete(hierarchySettings, tenantId.toLowerCase())))
        throw groupErrors.NotFound__Settings({ tenant: tenantId });
    });
    return { status: 200 };
  },
});

/** The id of the tenant; throws unless the path names its root group. */
function rootOf(call: SettingsCall): string {
  const tenantId = tenantOf(call);
  const { groupId: group } = call.params;
  if (!isRootGroup(tenantId, group))
    throw groupErrors.BadRequest__SettingsPlace({ root: tenantId, group }, { target: 'groupId' });
  return tenantId;
}

const find = async (call: SettingsCall): Promise<HierarchySettings | undefined> =>
  (await readCached(call.jar.store, hierarchySettings, rootOf(call).toLowerCase()))?.value;

/** The group that an id refers to, in lower case; undefined for the root group and for an empty text. */
async function groupFor(reader: Reader, call: SettingsCall, id: string): Promise<string | undefined> {
  if (id === '') return undefined;
  const target = 'properties.defaultManagementGroup';
  const tenantId = tenantOf(call);
  const name = parentKey(tenantId, groupNamedBy(id, target, call.jar.config.namespace));
  if (name !== undefined && !(await reader.get(managementGroups, managementGroupKey(tenantId, name), 'none')))
    throw groupErrors.NotFound({ group: name }, { target });
  return name;
}

async function settingsView(call: SettingsCall, settings: HierarchySettings, prefix: string) {
  const { requireAuthorizationForGroupCreation, defaultManagementGroup: name } = settings;
  const tenantId = tenantOf(call);
  const key = name === undefined ? undefined : managementGroupKey(tenantId, name);
  const group = key === undefined ? undefined : await readCached(call.jar.store, managementGroups, key);
  return {
    id: `${groupId(tenantId, prefix)}/settings/default`,
    type: withPrefix(SETTINGS_TYPE, prefix),
    name: 'default',
    properties: {
      tenantId,
      requireAuthorizationForGroupCreation,
      defaultManagementGroup: group?.value.name ?? name ?? null,
    },
  };
}
