import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import type { Cluster } from '../collections.ts';
import { computeErrors } from '../errors.ts';
import { valuesAt, withoutValue, withValue } from '../policies/paths.ts';
import { CLUSTER_FIELDS, readAttributes, sizeOf, workersOf } from './fields.ts';
import { findCluster } from './find.ts';
import { readRequest } from './request.ts';
import { resolveAttributes } from './resolve.ts';
import { recordCluster, saveCluster } from './save.ts';
import { restartCluster } from './transitions.ts';

/** Maximum length of a mask: each path of a mask copies the attributes. */
const LONGEST_MASK = 10_000;

/** Edits a cluster: replaces all of its attributes. */
export function editCluster(call: PlatformCall): Promise<void> {
  const { cluster_id } = readRequest(call, { cluster_id: { type: 'string', required: true } });
  const spec = readAttributes(call.body);
  return change(call, String(cluster_id), () => spec);
}

/** Updates a cluster: changes only the attributes in the mask. */
export function updateCluster(call: PlatformCall): Promise<void> {
  const { cluster_id, update_mask, cluster } = readRequest(call, {
    cluster_id: { type: 'string', required: true },
    update_mask: { type: 'string', required: true, most: LONGEST_MASK },
    cluster: { type: 'object' },
  });
  const said = readAttributes(cluster ?? {});
  const paths = pathsOf(String(update_mask));
  return change(call, String(cluster_id), (before) => merged(requestedAttributes(before), said, paths));
}

function pathsOf(mask: string): readonly string[] {
  const paths = mask.split(',').map((path) => path.trim());
  for (const path of paths) {
    if (path === '*' || Object.hasOwn(CLUSTER_FIELDS, path.split('.', 1)[0] as string)) continue;
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The update_mask names '${path.slice(0, 100)}', which is not a field.`,
    });
  }
  return paths;
}

const SIZES: Readonly<Record<string, string>> = { num_workers: 'autoscale', autoscale: 'num_workers' };

/** An attribute that is in the mask but not in the request is removed. A fixed size and a range replace each other. */
function merged(before: JsonMembers, said: JsonMembers, paths: readonly string[]): JsonMembers {
  if (paths.includes('*')) return said;
  let after = before;
  for (const path of paths) {
    const value = valuesAt(said, path)[0]?.value;
    after = value === undefined ? withoutValue(after, path) : withValue(after, path, value);
    const other = SIZES[path.split('.', 1)[0] as string];
    if (value !== undefined && other !== undefined && !paths.includes(other)) after = withoutValue(after, other);
  }
  return after;
}

/** The requested attributes, with the current size. */
function requestedAttributes({ spec, attributes }: Cluster): JsonMembers {
  const { num_workers: _workers, autoscale: _scale, ...rest } = spec;
  return { ...rest, ...sizeOf(attributes) };
}

function change(call: PlatformCall, id: string, wanted: (before: Cluster) => JsonMembers): Promise<void> {
  return call.jar.store.transact(async (tx) => {
    const before = await findCluster(call, id, 'CAN_MANAGE', tx);
    if (before.source === 'JOB') throw computeErrors.INVALID_STATE__JobCluster({ id: before.id });
    const spec = wanted(before);
    const attributes = await resolveAttributes(tx, call, spec);
    await replaceAttributes(tx, call, before, { spec, attributes }, nameOf(callerIdentity(call).principal));
  });
}

/** In a transaction: sets the attributes. A running cluster restarts with them, a terminated one stays terminated. */
export async function replaceAttributes(
  tx: Tx,
  { jar }: Pick<PlatformCall, 'jar'>,
  before: Cluster,
  { spec, attributes }: Pick<Cluster, 'spec' | 'attributes'>,
  user: string,
): Promise<void> {
  if (before.state !== 'RUNNING' && before.state !== 'TERMINATED')
    throw computeErrors.INVALID_STATE__Cluster({ id: before.id, state: before.state });
  const { terminatedAt } = before;
  const edited = await saveCluster(
    tx,
    jar,
    {
      ...before,
      name: String(attributes.cluster_name ?? ''),
      attributes,
      spec,
      ...(terminatedAt !== undefined && { workers: workersOf(sizeOf(attributes)) }),
    },
    { type: 'EDITED', details: { user, attributes: shown(attributes), previous_attributes: shown(before.attributes) } },
  );
  await recordCluster(tx, jar, 'update', edited);
  if (edited.state === 'RUNNING') await restartCluster(tx, jar, edited, user);
}

/** All principals who may attach to the cluster see its events; environment variables often contain secrets. */
const shown = ({ spark_env_vars: _variables, ...attributes }: JsonMembers): JsonMembers => attributes;
