import { Boxes, Building2, FolderTree, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { Tree, type TreeNode } from '../../shared/ui/tree.tsx';
import { type GroupRow, type ManagementGroupRow, type ResourceRow, type SubscriptionRow, shortType } from './api.ts';
import styles from './resources.module.css';
import { type Scopes, tenantScope, useResourcesOf } from './use-scopes.ts';

/** The search parameter with the ids of open nodes, so that a link shows the same tree. */
const OPEN_PARAM = 'open';

interface Props {
  readonly scopes: Scopes;
  /** The id of the chosen scope. */
  readonly scope: string | undefined;
  /** The id of the open resource. */
  readonly open: string | undefined;
  readonly onScope: (id: string) => void;
  readonly onResource: (id: string, group: string) => void;
}

/** Tenants, management groups, subscriptions, groups and resources. */
export function ScopeTree({ scopes, scope, open, onScope, onResource }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useAddressParam(OPEN_PARAM);
  const openGroups = (opened ?? '').split(',').filter(Boolean);
  const shownGroups = scopes.groups.filter(({ id }) => openGroups.includes(id.toLowerCase()));
  const resources = useResourcesOf(shownGroups.map(({ id }) => id));
  const nodes = treeOf(scopes, resources.data ?? [], new Set(openGroups));
  const above = idsAbove(nodes);
  const expanded = [...above.filter((id) => !closed.has(id)), ...shownGroups.map(({ id }) => id)];
  return (
    <Tree
      label="Scopes"
      nodes={nodes}
      selected={open ?? scope}
      expanded={expanded}
      onExpand={(ids) => {
        setClosed(new Set(above.filter((id) => !ids.includes(id))));
        const groups = scopes.groups.map(({ id }) => id).filter((id) => ids.includes(id));
        setOpened(groups.map((id) => id.toLowerCase()).join(','));
      }}
      onSelect={(id) => {
        const group = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+(?=\/providers\/)/i.exec(id)?.[0];
        if (group === undefined) onScope(id);
        else if (!id.endsWith(READING)) onResource(id, group);
      }}
    />
  );
}

/** Marks the node that stands for resources which are not read yet. */
const READING = '/providers/…';

/** Everything above resource groups is open at first. */
function idsAbove(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ id, children = [] }) => (/\/resourceGroups\//i.test(id) ? [] : [id, ...idsAbove(children)]));
}

function treeOf(scopes: Scopes, resources: readonly ResourceRow[], open: ReadonlySet<string>): readonly TreeNode[] {
  const { subscriptions, managementGroups, groups, domains } = scopes;
  const tenants = [...new Set([...subscriptions, ...managementGroups].map(({ tenantId }) => tenantId))];
  const groupNode = (group: GroupRow): TreeNode => ({
    id: group.id,
    text: group.name,
    content: <Node icon={<Boxes size={14} aria-hidden />} name={group.name} />,
    children: open.has(group.id.toLowerCase()) ? resourceNodes(group, resources) : [reading(group)],
  });
  const subscriptionNode = ({ id, subscriptionId, displayName }: SubscriptionRow): TreeNode => ({
    id,
    text: displayName,
    content: <Node icon={<KeyRound size={14} aria-hidden />} name={displayName} />,
    children: groups.filter((group) => group.subscriptionId === subscriptionId).map(groupNode),
  });
  const below = (tenantId: string, parent: string | undefined): TreeNode[] => [
    ...managementGroups
      .filter((each) => each.tenantId === tenantId && each.parent === parent && each.name !== tenantId)
      .map((each) => managementGroupNode(each, below(tenantId, each.name.toLowerCase()))),
    ...subscriptions
      .filter((each) => each.tenantId === tenantId && each.managementGroup === parent)
      .map(subscriptionNode),
  ];
  return tenants.map((tenantId) => ({
    id: tenantScope(tenantId),
    text: domains.get(tenantId) ?? tenantId,
    content: <Node icon={<Building2 size={14} aria-hidden />} name={domains.get(tenantId) ?? tenantId} />,
    children: below(tenantId, undefined),
  }));
}

const managementGroupNode = (
  { tenantId, name, displayName }: ManagementGroupRow,
  children: readonly TreeNode[],
): TreeNode => ({
  id: tenantScope(tenantId, name),
  text: displayName,
  content: <Node icon={<FolderTree size={14} aria-hidden />} name={displayName} />,
  children,
});

const reading = ({ id }: GroupRow): TreeNode => ({ id: `${id}${READING}`, text: 'Reading' });

function resourceNodes(group: GroupRow, resources: readonly ResourceRow[]): readonly TreeNode[] {
  const start = `${group.id}/`.toLowerCase();
  const own = resources.filter(({ id, location }) => location !== undefined && id.toLowerCase().startsWith(start));
  if (own.length === 0)
    return [{ id: `${group.id}${READING}`, text: 'Nothing in it', content: <em>nothing in it</em> }];
  return own.map(({ id, name, type }) => ({
    id,
    text: name,
    content: <Node name={name} note={shortType(type)} />,
  }));
}

interface NodeProps {
  readonly icon?: ReactNode;
  readonly name: string;
  readonly note?: string;
}

function Node({ icon, name, note }: NodeProps) {
  return (
    <span className={styles.node} title={note === undefined ? name : `${name}, ${note}`}>
      {icon}
      <span className={styles.nodeName}>{name}</span>
      {note !== undefined && <span className={styles.nodeNote}>{note}</span>}
    </span>
  );
}
