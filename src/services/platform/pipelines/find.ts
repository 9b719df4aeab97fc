import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import type { AclEntry } from '../permissions/acl.ts';
import { type Guarded, requireLevel } from '../permissions/guard.ts';
import { type Pipeline, pipelineKey, pipelines, type Update, updateKey, updates } from './collections.ts';
import { PipelineChange } from './pipeline-change.ts';

export type PipelineLevel = 'CAN_VIEW' | 'CAN_RUN' | 'CAN_MANAGE';

export const pipelineMissing = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `The specified pipeline ${id.slice(0, 200)} was not found.` });

const updateMissing = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `The specified update ${id.slice(0, 200)} was not found.` });

export const guardedPipeline = ({ id, acl }: Pipeline): Guarded => ({ type: 'pipelines', id, acl });

/** Finds a pipeline of the call's workspace on which the caller has this level; a deleted pipeline is not found. */
export async function findPipeline(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  id: string,
  level: PipelineLevel,
  reader: Reader = call.jar.store,
): Promise<Pipeline> {
  const found = (await reader.get(pipelines, pipelineKey(workspaceIn(call).id, id)))?.value;
  if (!found || found.deletedAt !== undefined) throw pipelineMissing(id);
  requireLevel(call, guardedPipeline(found), level);
  return found;
}

/** The same within a transaction, which locks the pipeline for a change. */
export const changePipeline = async (
  tx: Tx,
  call: PlatformCall,
  id: string,
  level: PipelineLevel,
): Promise<PipelineChange> => new PipelineChange(tx, call.jar, await findPipeline(call, id, level, tx));

export async function findUpdate(reader: Reader, { workspaceId, id }: Pipeline, asked: string): Promise<Update> {
  const found = (await reader.get(updates, updateKey(workspaceId, id, asked)))?.value;
  if (!found) throw updateMissing(asked);
  return found;
}

/** The principal that updates act as: `run_as` if set, otherwise the owner. */
export const identityOf = ({ runAs, acl, creator }: Pipeline): string =>
  runAs ?? acl.find(({ level }) => level === 'IS_OWNER')?.principal ?? creator;

/** Gives the permissions API access to pipelines: a `PermissionedKind`. */
export const GUARDED_PIPELINES = {
  async find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined> {
    const found = (await reader.get(pipelines, pipelineKey(workspaceId, id)))?.value;
    return found && found.deletedAt === undefined ? guardedPipeline(found) : undefined;
  },
  async save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void> {
    const key = pipelineKey(workspaceId, id);
    const found = (await tx.get(pipelines, key))?.value;
    if (found) await tx.put(pipelines, key, { ...found, acl });
  },
};
