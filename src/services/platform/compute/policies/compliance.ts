import { allOf, eq } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { findObject } from '../../engine/find.ts';
import { pageSize, readPage } from '../../engine/paging.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { replaceAttributes } from '../clusters/edit.ts';
import { findCluster } from '../clusters/find.ts';
import { queryText, readRequest } from '../clusters/request.ts';
import { type Cluster, clusters, policyOf } from '../collections.ts';
import { applyPolicy, conformed } from './apply.ts';
import { type Definition, readDefinition } from './definition.ts';
import { definitionOf, policyContext } from './govern.ts';
import { CLUSTER_POLICIES } from './kind.ts';
import { Patterns } from './matches.ts';

/** Compliance of clusters with the current version of their policies, which may have been edited after the clusters were created. */

interface Compliance {
  readonly is_compliant: boolean;
  readonly violations: Readonly<Record<string, string>>;
}

function complianceOf(definition: Definition | undefined, { attributes }: Cluster, patterns: Patterns): Compliance {
  if (!definition) return { is_compliant: true, violations: {} };
  const { violations } = applyPolicy(definition, { ...policyContext(attributes), defaults: false, patterns });
  return {
    is_compliant: violations.length === 0,
    violations: Object.fromEntries(violations.map(({ path, message }) => [path, message])),
  };
}

export async function getCompliance(call: PlatformCall): Promise<object> {
  const cluster = await findCluster(call, queryText(call, 'cluster_id'), 'CAN_ATTACH_TO');
  const definition = await definitionOf(call.jar.store, cluster.workspaceId, policyOf(cluster));
  return complianceOf(definition, cluster, new Patterns());
}

/**
 * The rules are read once and share one time limit for their patterns: a page has a hundred clusters, and matching blocks all other
 * requests.
 */
export async function listCompliance(call: PlatformCall): Promise<object> {
  const policy = await findObject(call, CLUSTER_POLICIES, queryText(call, 'policy_id'));
  const filter = allOf(eq('workspace', workspaceIn(call).id), eq('policy', policy.id), readersFilter(call));
  const { items, next } = await readPage(call, {
    collection: clusters,
    query: { filter },
    size: pageSize(call.query, { usual: 20, most: 100 }),
  });
  const definition = readDefinition(String(policy.fields.definition));
  const patterns = new Patterns();
  const found = items.map(({ value }) => ({ cluster_id: value.id, ...complianceOf(definition, value, patterns) }));
  return { clusters: found, ...(next !== undefined && { next_page_token: next }) };
}

export async function enforceCompliance(call: PlatformCall): Promise<object> {
  const { cluster_id, validate_only } = readRequest(call, {
    cluster_id: { type: 'string', required: true },
    validate_only: { type: 'boolean' },
  });
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const cluster = await findCluster(call, String(cluster_id), 'CAN_MANAGE', tx);
    const definition = await definitionOf(tx, cluster.workspaceId, policyOf(cluster));
    if (!definition) return { has_changes: false, changes: [] };
    const wanted = conformed(definition, {
      ...policyContext(cluster.attributes),
      defaults: true,
      patterns: new Patterns(),
    });
    const changes = differences(cluster.attributes, wanted);
    if (changes.length > 0 && validate_only !== true)
      await replaceAttributes(
        tx,
        call,
        cluster,
        { spec: wanted, attributes: wanted },
        nameOf(callerIdentity(call).principal),
      );
    return { has_changes: changes.length > 0, changes };
  });
}

function differences(before: JsonMembers, after: JsonMembers): readonly object[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const text = (value: JsonMembers[string]): string => JSON.stringify(value) ?? '';
  return names
    .filter((name) => text(before[name]) !== text(after[name]))
    .map((name) => ({ field: name, previous_value: text(before[name]), new_value: text(after[name]) }));
}
