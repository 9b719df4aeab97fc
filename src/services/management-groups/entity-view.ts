import { managementGroupPath, subscriptionPath, withPrefix } from '../../kernel/arm/index.ts';
import { type Entity, isSeen, pathTo, withBelow } from './entity-tree.ts';
import { groupErrors } from './errors.ts';
import { SUBSCRIPTION_TYPE } from './types.ts';
import { type AnswerContext, groupType } from './view.ts';

const idOf = ({ kind, name }: Entity, prefix: string): string =>
  kind === 'group' ? withPrefix(managementGroupPath(name), prefix) : subscriptionPath(name);

const typeOf = ({ kind }: Entity, spoken: AnswerContext): string =>
  kind === 'group' ? groupType(spoken) : SUBSCRIPTION_TYPE;

interface Shown {
  readonly tenantId: string;
  readonly spoken: AnswerContext;
  /** Selected members in lower case; undefined selects all. */
  readonly selection: ReadonlySet<string> | undefined;
}

/** Counts include only descendants that the caller can see. */
const MEMBERS: Readonly<Record<string, (entity: Entity, shown: Shown) => unknown>> = {
  tenantId: (_entity, { tenantId }) => tenantId,
  displayName: ({ displayName }) => displayName,
  parent: ({ parent }, { spoken }) => ({ id: parent ? idOf(parent, spoken.prefix) : null }),
  permissions: ({ permission }) => permission,
  inheritedPermissions: ({ inherited }) => inherited,
  numberOfChildren: ({ children }) => children.filter(isSeen).length,
  numberOfChildGroups: ({ children }) => children.filter((it) => it.kind === 'group' && isSeen(it)).length,
  numberOfDescendants: (entity) => [...withBelow(entity)].filter(isSeen).length - 1,
  parentDisplayNameChain: (entity) => pathTo(entity).map(({ displayName }) => displayName),
  parentNameChain: (entity) => pathTo(entity).map(({ name }) => name),
};

const HEAD = ['id', 'type', 'name'];

/** Alternative member names that clients use. */
const ALIASES: Readonly<Record<string, string>> = { parentchain: 'parentnamechain' };

const KNOWN: ReadonlySet<string> = new Set([...HEAD, ...Object.keys(MEMBERS)].map((name) => name.toLowerCase()));

/** The members that `$select` names; undefined if it names none. */
export function selectionOf(select: string | undefined): ReadonlySet<string> | undefined {
  const names = (select ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .map((name) => ALIASES[name] ?? name);
  if (names.length === 0) return undefined;
  const unknown = names.find((name) => !KNOWN.has(name));
  if (unknown === undefined) return new Set(names);
  const reason = `The '$select' is not valid: '${unknown.slice(0, 40)}' is not one of ${[...HEAD, ...Object.keys(MEMBERS)].join(', ')}.`;
  throw groupErrors.BadRequest({ reason }, { target: '$select' });
}

/** An entity with its id and the selected members. */
export function selectedView(entity: Entity, shown: Shown): Record<string, unknown> {
  const has = (name: string): boolean => shown.selection?.has(name.toLowerCase()) ?? true;
  const members = Object.entries(MEMBERS).filter(([name]) => has(name));
  return {
    id: idOf(entity, shown.spoken.prefix),
    ...(has('type') && { type: typeOf(entity, shown.spoken) }),
    ...(has('name') && { name: entity.name }),
    properties: Object.fromEntries(members.map(([name, of]) => [name, of(entity, shown)])),
  };
}
