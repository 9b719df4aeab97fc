import { Type } from 'typebox';
import { isRootGroup, type ManagementGroup } from '../../kernel/arm/index.ts';
import { armCode } from '../../kernel/service/index.ts';
import type { Reader } from '../../kernel/store/index.ts';
import { admitToGroup, tenantOf } from './access.ts';
import { groupErrors } from './errors.ts';
import { behind, type Keyed, LIST_OPTIONS, pageAnswer } from './paging.ts';
import { DescendantSchema } from './schemas.ts';
import { findGroup, levelsBelow, parentKey, subscriptionsBelow } from './tree.ts';
import { type AnswerContext, groupId, headOf, subscriptionHead } from './view.ts';

export const descendants = armCode(['groupId'], {
  admit: admitToGroup,
  query: LIST_OPTIONS,
  responses: { 200: Type.Object({ value: Type.Array(DescendantSchema), nextLink: Type.Optional(Type.String()) }) },
  async handle(call, arm) {
    const group = await findGroup(call.jar.store, tenantOf(call), call.params.groupId);
    if (!group) throw groupErrors.NotFound({ group: call.params.groupId });
    const all = await below(call.jar.store, group, arm);
    return pageAnswer(
      call,
      (request) => behind(all, request),
      (it) => it,
    );
  },
});

async function below(reader: Reader, group: ManagementGroup, spoken: AnswerContext): Promise<Keyed<unknown>[]> {
  const { tenantId } = group;
  const groups = (await levelsBelow(reader, group)).flat();
  const names = new Map(groups.map(({ name }) => [name.toLowerCase(), name]));
  const parentOf = (key: string | undefined): { id: string } => ({
    id: groupId(key === undefined || isRootGroup(tenantId, key) ? tenantId : (names.get(key) ?? key), spoken.prefix),
  });
  const members = await subscriptionsBelow(
    reader,
    tenantId,
    groups.map(({ name }) => parentKey(tenantId, name)),
  );
  return [
    ...groups.slice(1).map((each) => ({
      key: `groups/${each.name.toLowerCase()}`,
      item: {
        ...headOf(each.name, spoken),
        properties: { displayName: each.displayName, parent: parentOf(each.parent) },
      },
    })),
    ...members.map((each) => ({
      key: `subscriptions/${each.subscriptionId.toLowerCase()}`,
      item: {
        ...subscriptionHead(each),
        properties: { displayName: each.displayName, parent: parentOf(each.managementGroup) },
      },
    })),
  ];
}
