import { allOf, eq, type Filter, type Reader } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { allows, type Guarded, readersFilter, requireLevel } from '../permissions/guard.ts';
import { rankOf, typeRow } from '../permissions/levels.ts';
import { keyOfModel, type ModelVersion, models, type RegisteredModel, versionKey, versions } from './collections.ts';
import { guardedModel, rootOf } from './guarded.ts';

type RegistryCall = Pick<PlatformCall, 'jar' | 'facts'>;

export const noSuchModel = (name: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `RegisteredModel '${name.slice(0, 300)}' does not exist. It might have been deleted.`,
  });

export const noSuchVersion = (name: string, version: number | string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `Model Version (name=${name}, version=${version}) not found` });

/** The model of this name, without a permission check. A transaction locks its document. */
export async function modelNamed(
  reader: Reader,
  workspaceId: string,
  name: string,
): Promise<RegisteredModel | undefined> {
  const filter = allOf(eq('workspace', workspaceId), eq('name', name));
  const key = (await reader.query(models, { filter, limit: 1 })).items[0]?.key;
  const found = key === undefined ? undefined : (await reader.get(models, key))?.value;
  // It may have been renamed between the two reads.
  return found?.name === name ? found : undefined;
}

/** The model, if the caller has this level on it. */
export async function findModel(
  call: RegistryCall,
  name: string,
  level: string,
  reader: Reader = call.jar.store,
): Promise<RegisteredModel> {
  const workspace = workspaceIn(call);
  const found = await modelNamed(reader, workspace.id, name);
  if (!found) throw noSuchModel(name);
  requireLevel(call, guardedModel(found, await rootOf(reader, workspace)), level, undefined);
  return found;
}

export const versionOf = async (
  reader: Reader,
  model: RegisteredModel,
  number: number,
): Promise<ModelVersion | undefined> => (await reader.get(versions, versionKey(keyOfModel(model), number)))?.value;

export interface FoundVersion {
  readonly model: RegisteredModel;
  readonly version: ModelVersion;
}

/** A version, if the caller has this level on its model. */
export async function findVersion(
  call: RegistryCall,
  name: string,
  number: number,
  level: string,
  reader: Reader = call.jar.store,
): Promise<FoundVersion> {
  const model = await findModel(call, name, level, reader);
  const version = await versionOf(reader, model, number);
  if (!version) throw noSuchVersion(name, number);
  return { model, version };
}

export const guardOf = async (call: RegistryCall, model: RegisteredModel, reader: Reader): Promise<Guarded> =>
  guardedModel(model, await rootOf(reader, workspaceIn(call)));

/** A filter for the models that the caller may read; undefined if the caller may read all models of the workspace. */
export async function readableModels(call: RegistryCall): Promise<Filter | undefined> {
  const root = await rootOf(call.jar.store, workspaceIn(call));
  return allows(call, root, 'CAN_READ') ? undefined : readersFilter(call);
}

/** The highest level that the caller has. */
export function levelHeld(call: RegistryCall, guarded: Guarded): string | undefined {
  const { levels } = typeRow(guarded.type);
  return [...levels]
    .sort((one, other) => rankOf(guarded.type, other) - rankOf(guarded.type, one))
    .find((level) => allows(call, guarded, level));
}
