import { Type } from 'typebox';
import { type ManagementGroup, queryValue } from '../../kernel/arm/index.ts';
import { ok } from '../../kernel/http/index.ts';
import { armCode, type Call } from '../../kernel/service/index.ts';
import type { Reader } from '../../kernel/store/index.ts';
import { admitToGroup, tenantOf } from './access.ts';
import { groupErrors } from './errors.ts';
import { GroupSchema } from './schemas.ts';
import { ancestorsOf, findGroup, groupsBelow, levelsBelow, parentKey, subscriptionsBelow } from './tree.ts';
import { type AnswerContext, type ChildView, groupView, headOf, subscriptionHead } from './view.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

const QUERY = Type.Object({
  $expand: text('children, path, ancestors, or several of them, separated by commas'),
  $recurse: text('true: all descendants of the group; requires $expand=children'),
  $filter: text("'children.childType ne Subscription' leaves subscriptions out"),
});

export const get = armCode(['groupId'], {
  admit: admitToGroup,
  query: QUERY,
  responses: { 200: GroupSchema },
  async handle(call, arm) {
    const { store } = call.jar;
    const { expand, recurse, withSubscriptions } = readOptions(call);
    const group = await findGroup(store, tenantOf(call), call.params.groupId);
    if (!group) throw groupErrors.NotFound({ group: call.params.groupId });
    const children = expand.has('children')
      ? await childrenOf(store, group, { spoken: arm, recurse, withSubscriptions })
      : undefined;
    const expansion = { path: expand.has('path'), ancestors: expand.has('ancestors'), children };
    return ok(groupView(group, await ancestorsOf(store, group), arm, expansion));
  },
});

const EXPANSIONS = ['children', 'path', 'ancestors'];
const NO_SUBSCRIPTIONS = /^\s*children\.childType\s+ne\s+'?Subscription'?\s*$/i;

function readOptions(call: Pick<Call, 'query'>) {
  const wrong = (target: string, reason: string): Error =>
    groupErrors.BadRequest({ reason: `The '${target}' is not valid: ${reason}.` }, { target });
  const expand = new Set(
    (queryValue(call, '$expand') ?? '')
      .toLowerCase()
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );
  for (const word of expand) {
    if (!EXPANSIONS.includes(word))
      throw wrong('$expand', `'${word.slice(0, 40)}' is not one of ${EXPANSIONS.join(', ')}`);
  }
  const recurse = (queryValue(call, '$recurse') || 'false').toLowerCase();
  if (recurse !== 'true' && recurse !== 'false') throw wrong('$recurse', 'it must be true or false');
  if (recurse === 'true' && !expand.has('children')) throw wrong('$recurse', "it needs '$expand=children'");
  const filter = queryValue(call, '$filter') || undefined;
  if (filter !== undefined && !NO_SUBSCRIPTIONS.test(filter))
    throw wrong('$filter', "the only supported filter is 'children.childType ne Subscription'");
  return { expand, recurse: recurse === 'true', withSubscriptions: filter === undefined };
}

interface ChildOptions {
  readonly spoken: AnswerContext;
  readonly recurse: boolean;
  readonly withSubscriptions: boolean;
}

/** The children of a group; with `recurse`, including their descendants. */
async function childrenOf(
  reader: Reader,
  group: ManagementGroup,
  { spoken, recurse, withSubscriptions }: ChildOptions,
): Promise<ChildView[]> {
  const { tenantId } = group;
  const keyOf = ({ name }: ManagementGroup): string | undefined => parentKey(tenantId, name);
  const groups = recurse
    ? (await levelsBelow(reader, group)).slice(1).flat()
    : await groupsBelow(reader, tenantId, [keyOf(group)]);
  const parents = recurse ? [group, ...groups] : [group];
  const members = withSubscriptions ? await subscriptionsBelow(reader, tenantId, parents.map(keyOf)) : [];
  const groupsOf = Map.groupBy(groups, ({ parent }) => parent);
  const membersOf = Map.groupBy(members, ({ managementGroup }) => managementGroup);
  const below = (key: string | undefined): ChildView[] => [
    ...(groupsOf.get(key) ?? []).map((each) => {
      const children = recurse ? below(keyOf(each)) : [];
      return {
        ...headOf(each.name, spoken),
        displayName: each.displayName,
        ...(children.length > 0 && { children }),
      };
    }),
    ...(membersOf.get(key) ?? []).map((each) => ({ ...subscriptionHead(each), displayName: each.displayName })),
  ];
  return below(keyOf(group));
}
