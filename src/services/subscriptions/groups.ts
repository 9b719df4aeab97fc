import {
  canonicalNamespace,
  hierarchySettings,
  managementGroupKey,
  managementGroups,
  mayUseGroup,
  parseScope,
  refusedAtGroup,
} from '../../kernel/arm/index.ts';
import type { Reader } from '../../kernel/store/index.ts';
import { subscriptionErrors } from './errors.ts';
import { abbreviated } from './fields.ts';
import type { SubscriptionsCall } from './jar.ts';
import { callerOf } from './roles.ts';

/** Maximum length of a management group's name. */
const LONGEST_NAME = 90;
const FORM = 'it must be /providers/Vendor.Management/managementGroups/<name>';

const wrong = (group: string, reason: string, target: string): Error =>
  subscriptionErrors.InvalidManagementGroupId({ group: abbreviated(group), reason }, { target });

/** The name in the id of a management group. */
function nameOf(id: string, aliases: readonly string[]): string | undefined {
  const { provider } = parseScope(id);
  const [name, ...more] = provider?.names ?? [];
  const isGroup =
    canonicalNamespace(provider?.namespace ?? '', aliases).toLowerCase() === 'vendor.management' &&
    provider?.types.join('/').toLowerCase() === 'managementgroups';
  const isWhole = id.toLowerCase() === `/providers/${provider?.namespace}/managementgroups/${name}`.toLowerCase();
  const isName = name !== undefined && name.length <= LONGEST_NAME && more.length === 0;
  return isGroup && isWhole && isName ? name : undefined;
}

interface Asked {
  /** The id as sent. */
  readonly id: string | undefined;
  readonly target: string;
}

/**
 * The name of the requested management group, which must be in the caller's tenant. It requires a role with write permission there, except
 * for the groups that subscriptions go to by default. Callers without such a role do not learn whether the group exists.
 */
export async function askedGroup(call: SubscriptionsCall, { id, target }: Asked): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const { store, config } = call.jar;
  const { tenantId } = callerOf(call);
  const name = nameOf(id, config.namespace);
  if (name === undefined) throw wrong(id, FORM, target);
  const isOpen = isRoot(tenantId, name) || name.toLowerCase() === (await defaultGroup(store, tenantId));
  if (!isOpen && !(await mayUseGroup(call, name, 'write'))) throw refusedAtGroup(call, name);
  if (!(await isThere(store, tenantId, name))) throw wrong(id, 'the group does not exist', target);
  return name;
}

/** The root group of a tenant is named after the tenant's id and has no document. */
const isRoot = (tenantId: string, name: string): boolean => name.toLowerCase() === tenantId.toLowerCase();

async function isThere(reader: Pick<Reader, 'get'>, tenantId: string, name: string): Promise<boolean> {
  return (
    isRoot(tenantId, name) ||
    (await reader.get(managementGroups, managementGroupKey(tenantId, name), 'share')) !== undefined
  );
}

/**
 * The group of a new subscription: the requested one, else the tenant's default, else the root. Returns 'gone' if the requested group no
 * longer exists.
 */
export async function placeFor(
  reader: Pick<Reader, 'get'>,
  tenantId: string,
  asked: string | undefined,
): Promise<{ readonly managementGroup?: string } | 'gone'> {
  if (asked !== undefined && !(await isThere(reader, tenantId, asked))) return 'gone';
  const name = asked ?? (await defaultGroup(reader, tenantId));
  return name === undefined || isRoot(tenantId, name) ? {} : { managementGroup: name.toLowerCase() };
}

async function defaultGroup(reader: Pick<Reader, 'get'>, tenantId: string): Promise<string | undefined> {
  const settings = (await reader.get(hierarchySettings, tenantId.toLowerCase(), 'share'))?.value;
  const name = settings?.defaultManagementGroup;
  return name !== undefined && (await isThere(reader, tenantId, name)) ? name : undefined;
}
