import type { Reader } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { objectKey, objects } from '../../engine/objects.ts';
import { readLibraries } from '../libraries/read.ts';
import { CLUSTER_POLICIES } from './kind.ts';

/** Libraries that a policy installs on its clusters. */
export async function policyLibraries(
  reader: Reader,
  workspaceId: string,
  policyId: string | undefined,
): Promise<readonly JsonMembers[]> {
  if (policyId === undefined) return [];
  const policy = (await reader.get(objects, objectKey(workspaceId, CLUSTER_POLICIES.name, policyId), 'share'))?.value;
  const { libraries } = policy?.fields ?? {};
  return libraries === undefined ? [] : readLibraries(libraries);
}
