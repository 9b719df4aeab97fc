import {
  type ArmFacts,
  type ManagementGroup,
  managementGroupPath,
  type Subscription,
  subscriptionPath,
  withPrefix,
} from '../../kernel/arm/index.ts';
import { isoTime } from '../../kernel/time/index.ts';
import { GROUP_SUBSCRIPTION_TYPE, GROUP_TYPE, isOldVersion, SUBSCRIPTION_TYPE } from './types.ts';

/** Groups and their children on the wire. */

export const groupId = (name: string, prefix: string): string => withPrefix(managementGroupPath(name), prefix);

/** The parts of a request that change the form of an answer. */
export type AnswerContext = Pick<ArmFacts, 'prefix' | 'apiVersion'>;

export const groupType = ({ prefix, apiVersion }: AnswerContext): string =>
  `${isOldVersion(apiVersion) ? '/providers/' : ''}${withPrefix(GROUP_TYPE, prefix)}`;

/** The head of every answer about a group. */
export const headOf = (name: string, spoken: AnswerContext) => ({
  id: groupId(name, spoken.prefix),
  type: groupType(spoken),
  name,
});

export const listedView = ({ name, tenantId, displayName }: ManagementGroup, spoken: AnswerContext) => ({
  ...headOf(name, spoken),
  properties: { tenantId, displayName },
});

/** What the real service shows as the last change if it does not know one. */
const UNKNOWN_CHANGE = { version: 0, updatedTime: '0001-01-01T00:00:00', updatedBy: null };

/** ISO time with seven digits after the second. */
export const preciseTime = (at: number): string => isoTime(at).replace('Z', '0000Z');

const changeOf = ({ version, updatedAt, updatedBy }: ManagementGroup) =>
  version === 0 ? UNKNOWN_CHANGE : { version, updatedTime: preciseTime(updatedAt), updatedBy };

export interface ChildView {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly displayName: string;
  readonly children?: readonly ChildView[];
}

export interface Expansion {
  /** Include the path from the root to the group itself. */
  readonly path?: boolean;
  /** Include the ancestors, from the parent to the root. */
  readonly ancestors?: boolean;
  /** The children, or all descendants; undefined if not requested. */
  readonly children?: readonly ChildView[] | undefined;
}

/** A group with its place in the tree; `above` are its ancestors, the nearest first. */
export function groupView(
  group: ManagementGroup,
  above: readonly ManagementGroup[],
  spoken: AnswerContext,
  { path = false, ancestors = false, children }: Expansion = {},
) {
  const { name, tenantId, displayName } = group;
  const [parent] = above;
  return {
    ...headOf(name, spoken),
    properties: {
      tenantId,
      displayName,
      details: {
        ...(children ? UNKNOWN_CHANGE : changeOf(group)),
        parent: parent
          ? { id: groupId(parent.name, spoken.prefix), name: parent.name, displayName: parent.displayName }
          : null,
        ...(path && { path: [group, ...above].toReversed().map(named) }),
        ...(ancestors && {
          managementGroupAncestors: above.map((each) => each.name),
          managementGroupAncestorsChain: above.map(named),
        }),
      },
      ...(children && children.length > 0 && { children }),
    },
  };
}

const named = ({ name, displayName }: ManagementGroup) => ({ name, displayName });

export const subscriptionHead = ({ subscriptionId }: Subscription) => ({
  id: subscriptionPath(subscriptionId),
  type: SUBSCRIPTION_TYPE,
  name: subscriptionId,
});

export function memberView(group: string, subscription: Subscription, prefix: string) {
  const { subscriptionId, displayName, state, tenantId } = subscription;
  return {
    name: subscriptionId,
    id: `${groupId(group, prefix)}/subscriptions/${subscriptionId}`,
    type: withPrefix(GROUP_SUBSCRIPTION_TYPE, prefix),
    properties: {
      displayName,
      parent: { id: groupId(group, prefix), name: null, displayName: null },
      state: state === 'Enabled' ? 'Active' : state,
      tenant: tenantId,
    },
  };
}
