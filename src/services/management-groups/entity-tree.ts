import {
  isRootGroup,
  type ManagementGroup,
  managementGroupIn,
  managementGroupKey,
  managementGroups,
  type RoleAssignments,
  type Subscription,
  subscriptionPath,
  subscriptions,
} from '../../kernel/arm/index.ts';
import { eq, type Reader, readAll } from '../../kernel/store/index.ts';
import { parentKey, rootGroup } from './tree.ts';

/** The part of the tree that a caller can see: the groups and subscriptions at which the caller has a role, and their ancestors. */

export type Permission = 'noaccess' | 'view' | 'edit' | 'delete';

export interface Entity {
  readonly kind: 'group' | 'subscription';
  readonly name: string;
  readonly displayName: string;
  readonly parent: Entity | undefined;
  readonly children: Entity[];
  readonly permission: Permission;
  /** Permission from roles at ancestors. */
  readonly inherited: Permission;
  /** Unique sort key that puts the descendants of a group directly after it. */
  readonly key: string;
}

const ORDER: readonly Permission[] = ['noaccess', 'view', 'edit', 'delete'];
const higher = (a: Permission, b: Permission): Permission => (ORDER.indexOf(a) < ORDER.indexOf(b) ? b : a);

type Held = RoleAssignments['assignments'];

const permissionOf = (held: Held): Permission =>
  held.some(({ role }) => role !== 'Reader') ? 'delete' : held.length > 0 ? 'view' : 'noaccess';

/** A space sorts before every character of a name, so no sibling sorts between a group and its descendants. */
const keyBelow = (parent: Entity, kind: 'g' | 's', name: string): string =>
  `${parent.key} ${kind}:${name.toLowerCase()}`;

/** The whole tree of a tenant, from the root down, with the caller's permissions. */
export async function readTree(
  reader: Reader,
  tenantId: string,
  held: Held,
  aliases: readonly string[],
): Promise<Entity> {
  const groups = await readAll(reader, managementGroups, { prefix: managementGroupKey(tenantId, '') });
  const members = await readAll(reader, subscriptions, { filter: eq('tenantId', tenantId) });
  const groupsOf = Map.groupBy(
    groups.map(({ value }) => value).filter(({ name }) => !isRootGroup(tenantId, name)),
    ({ parent }) => parent,
  );
  const membersOf = Map.groupBy(
    members.map(({ value }) => value),
    ({ managementGroup }) => managementGroup,
  );
  // Indexed, because a creator of groups has a role at each: scanning all roles per entity would be quadratic.
  const heldAt = Map.groupBy(held, ({ scope }) => managementGroupIn(scope, aliases)?.toLowerCase());
  const heldOn = Map.groupBy(held, ({ scope }) => scope.toLowerCase());

  const ofSubscription = ({ subscriptionId, displayName }: Subscription, parent: Entity): Entity => {
    const own = permissionOf(heldOn.get(subscriptionPath(subscriptionId).toLowerCase()) ?? []);
    return {
      kind: 'subscription',
      name: subscriptionId,
      displayName,
      parent,
      children: [],
      permission: higher(own, parent.permission),
      inherited: parent.permission,
      key: keyBelow(parent, 's', subscriptionId),
    };
  };
  const ofGroup = ({ name, displayName }: ManagementGroup, inherited: Permission, parent?: Entity): Entity => {
    const own = permissionOf(heldAt.get(name.toLowerCase()) ?? []);
    const entity: Entity = {
      kind: 'group',
      name,
      displayName,
      parent,
      children: [],
      permission: higher(own, inherited),
      inherited,
      key: parent ? keyBelow(parent, 'g', name) : '',
    };
    const key = parentKey(tenantId, name);
    for (const each of groupsOf.get(key) ?? []) entity.children.push(ofGroup(each, entity.permission, entity));
    for (const each of membersOf.get(key) ?? []) entity.children.push(ofSubscription(each, entity));
    return entity;
  };
  const everywhere = permissionOf(held.filter(({ scope }) => scope === '/'));
  return ofGroup(await rootGroup(reader, tenantId), everywhere);
}

export const isReadable = ({ permission }: Entity): boolean => permission !== 'noaccess';

/** True if the caller has access to the entity or to a descendant. */
export const isSeen = (entity: Entity): boolean => isReadable(entity) || entity.children.some(isSeen);

/** An entity and its descendants. */
export function* withBelow(entity: Entity): Generator<Entity> {
  yield entity;
  for (const child of entity.children) yield* withBelow(child);
}

/** The ancestors of an entity, from the root down. */
export const pathTo = ({ parent }: Entity): Entity[] => (parent ? [...pathTo(parent), parent] : []);

/** Number of group levels of an entity including its descendants: 0 for a subscription. */
export const heightOf = ({ kind, children }: Entity): number =>
  kind === 'subscription' ? 0 : 1 + children.reduce((most, child) => Math.max(most, heightOf(child)), 0);
