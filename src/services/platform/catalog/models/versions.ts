import { uuid } from '../../../../kernel/ids/index.ts';
import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { freeCount, takeCounts } from '../../limits/take.ts';
import { requireManager, requirePrivilege, requireReachable } from '../core/access.ts';
import { removeAttached } from '../core/attached.ts';
import { type Chain, findChain, fullNameOf } from '../core/chain.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import { record, refuseSystem } from '../core/operations.ts';
import { dataIdOf, keyOf, type Securable, securables } from '../core/securables.ts';
import { type ModelVersion, modelVersions, versionKey } from './collections.ts';
import { modelScope, stateOf, withState } from './kind.ts';
import { FAIL_VERSION, failureId } from './work.ts';

/** A version fails if its files are not complete after this time. */
const REGISTRATION_MS = 24 * 3_600_000;

export interface VersionOf {
  readonly chain: Chain;
  readonly version: ModelVersion;
}

/** Runs a transaction that changes a model or its versions. Changes of one model run one after another. */
export async function changeModel<R>(
  call: PlatformCall,
  name: string,
  change: (tx: Tx, chain: Chain) => Promise<R>,
): Promise<R> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const now = await metastoreNow(tx, metastore);
    const chain = await findChain(tx, now, 'registered_model', name, { lock: 'update' });
    refuseSystem(chain);
    return change(tx, chain);
  });
}

export const putModel = (tx: Tx, model: Securable) => tx.put(securables, keyOf(model), model);

const noVersion = (chain: Chain, version: number | string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `ModelVersion '${fullNameOf(chain)}/${String(version).slice(0, 20)}' does not exist.`,
  });

/** A version number from a path or body. */
export function versionNumber(chain: Chain, sent: string | number | undefined): number {
  const text = String(sent ?? '');
  if (!/^\d{1,9}$/.test(text)) throw noVersion(chain, text);
  return Number(text);
}

export async function findVersion(reader: Reader, chain: Chain, version: number): Promise<VersionOf> {
  const found = await reader.get(modelVersions, versionKey(dataIdOf(chain.target), version), 'none');
  if (!found) throw noVersion(chain, version);
  return { chain, version: found.value };
}

export interface NewVersion {
  readonly source: string;
  readonly comment?: string | undefined;
  readonly runId?: string | undefined;
  readonly runWorkspaceId?: number | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** Registers the next version. Its number is higher than that of any earlier version, including deleted ones. */
export const createVersion = (call: PlatformCall, name: string, read: () => NewVersion): Promise<VersionOf> =>
  changeModel(call, name, async (tx, chain) => {
    requirePrivilege(call, chain, 'CREATE_MODEL_VERSION');
    requireReachable(call, chain, { writes: true });
    const { source, comment, runId, runWorkspaceId, tags } = read();
    const { target: model } = chain;
    await takeCounts(tx, call.jar, [
      {
        row: 'model-versions',
        scope: modelScope(model),
        message: (most) => `Cannot create 1 ModelVersion(s) in RegisteredModel ${fullNameOf(chain)} (limit: ${most})`,
      },
      {
        row: 'metastore-model-versions',
        scope: [model.metastore],
        message: (most) => `Cannot create 1 ModelVersion(s) in Metastore ${model.metastore} (limit: ${most})`,
      },
    ]);
    const number = stateOf(model).lastVersion + 1;
    const now = call.jar.clock.now();
    const { id: creator } = callerIdentity(call).principal;
    const version: ModelVersion = {
      id: uuid(),
      metastore: model.metastore,
      model: model.id,
      version: number,
      status: 'PENDING_REGISTRATION',
      ...(comment !== undefined && { comment }),
      source,
      ...(runId !== undefined && { runId }),
      ...(runWorkspaceId !== undefined && { runWorkspaceId }),
      ...(Object.keys(tags).length > 0 && { tags }),
      createdAt: now,
      createdBy: creator,
      updatedAt: now,
      updatedBy: creator,
    };
    await tx.put(modelVersions, versionKey(model.id, number), version);
    await putModel(tx, withState(model, { lastVersion: number }));
    const failure = { model: model.id, version: number };
    await tx.schedule(FAIL_VERSION.at(now + REGISTRATION_MS, failure, failureId(model.id, number)));
    await record(tx, call, 'createVersion', chain);
    return { chain, version };
  });

/** The creator of a version may complete it; otherwise the caller must manage the model. */
export function requireVersionWriter(call: PlatformCall, { chain, version }: VersionOf): void {
  if (version.createdBy === callerIdentity(call).principal.id) requirePrivilege(call, chain, 'CREATE_MODEL_VERSION');
  else requireManager(call, chain);
  requireReachable(call, chain, { writes: true });
}

/** Marks the files as complete. */
export const finalizeVersion = (call: PlatformCall, name: string, sent: string): Promise<VersionOf> =>
  changeModel(call, name, async (tx, chain) => {
    const found = await findVersion(tx, chain, versionNumber(chain, sent));
    requireVersionWriter(call, found);
    if (found.version.status === 'FAILED_REGISTRATION')
      throw errors.INVALID_STATE({ reason: 'The registration of the version has failed; create another version.' });
    if (found.version.status === 'READY') return found;
    await tx.cancel(failureId(chain.target.id, found.version.version));
    return writeVersion(tx, call, found, { status: 'READY' }, 'finalizeVersion');
  });

export async function writeVersion(
  tx: Tx,
  call: PlatformCall,
  { chain, version: before }: VersionOf,
  changes: Partial<ModelVersion>,
  kind = 'updateVersion',
): Promise<VersionOf> {
  const updatedBy = callerIdentity(call).principal.id;
  const version: ModelVersion = { ...before, ...changes, updatedAt: call.jar.clock.now(), updatedBy };
  await tx.put(modelVersions, versionKey(version.model, version.version), version);
  await record(tx, call, kind, chain, { version: version.version });
  return { chain, version };
}

/** Deletes a version with the aliases that point to it. */
export const deleteVersion = (call: PlatformCall, name: string, sent: string): Promise<void> =>
  changeModel(call, name, async (tx, chain) => {
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    const { version } = await findVersion(tx, chain, versionNumber(chain, sent));
    const { target: model } = chain;
    await tx.delete(modelVersions, versionKey(model.id, version.version));
    await tx.cancel(failureId(model.id, version.version));
    await removeAttached(tx, call.jar, { ...model, id: `${model.id}/${version.version}/` });
    await freeCount(tx, call.jar, { row: 'model-versions', scope: modelScope(model) });
    await freeCount(tx, call.jar, { row: 'metastore-model-versions', scope: [model.metastore] });
    const all = Object.entries(stateOf(model).aliases);
    const kept = all.filter(([, of]) => of !== version.version);
    const gone = all.length - kept.length;
    if (gone > 0) {
      await freeCount(tx, call.jar, { row: 'model-aliases', scope: modelScope(model), count: gone });
      await putModel(tx, withState(model, { aliases: Object.fromEntries(kept) }));
    }
    await record(tx, call, 'deleteVersion', chain);
  });
