import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { holds, requirePrivilege, requireReachable } from '../catalog/core/access.ts';
import { chainById, findChain, fullNameOf } from '../catalog/core/chain.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { dataIdOf } from '../catalog/core/securables.ts';
import { modelVersions, versionKey } from '../catalog/models/collections.ts';
import { errors } from '../errors.ts';
import type { PlatformCall, PlatformJar } from '../jar.ts';
import { findModel, modelNamed, noSuchVersion, versionOf } from '../registry/find.ts';
import type { ServedEntity, ServingEndpoint } from './collections.ts';
import type { EntityDraft } from './served-entity.ts';

/** The models behind served entities: models of the catalog have names of three parts, all others are in the registry of the workspace. */

/** Prefix of foundation models, which the platform provides. */
const FOUNDATION = 'system.ai.';
const PARTS_IN_CATALOG = 3;

const isOfCatalog = (name: string): boolean => name.split('.').length === PARTS_IN_CATALOG;

/** The name of the model that has to exist; undefined for external models and models of the platform. */
function modelOf({ fields }: Pick<EntityDraft, 'fields'>): string | undefined {
  const { entity_name: name } = fields;
  return typeof name === 'string' && !name.toLowerCase().startsWith(FOUNDATION) ? name : undefined;
}

const numberOf = (version: string): number => (/^\d{1,9}$/.test(version) ? Number(version) : Number.NaN);

/** Checks that each model exists in this version and that the caller may use it; returns the entities with the ids found. */
export async function withModels(
  call: PlatformCall,
  entities: readonly EntityDraft[],
): Promise<readonly EntityDraft[]> {
  const found: EntityDraft[] = [];
  for (const entity of entities) {
    const name = modelOf(entity);
    const model = name === undefined ? undefined : await requireModel(call, name, versionIn(entity));
    found.push({ ...entity, ...(model !== undefined && { model }) });
  }
  return found;
}

const versionIn = ({ fields }: Pick<EntityDraft, 'fields'>): string | undefined =>
  typeof fields.entity_version === 'string' ? fields.entity_version : undefined;

/** Returns the id of the object found in the catalog. */
async function requireModel(
  call: PlatformCall,
  name: string,
  version: string | undefined,
): Promise<string | undefined> {
  if (isOfCatalog(name)) return requireOfCatalog(call, name, version);
  const model = await findModel(call, name, 'CAN_READ');
  if (version !== undefined && !(await versionOf(call.jar.store, model, numberOf(version))))
    throw noSuchVersion(name, version);
  return undefined;
}

async function requireOfCatalog(call: PlatformCall, name: string, version: string | undefined): Promise<string> {
  const { store } = call.jar;
  const metastore = await metastoreIn(call);
  const find = (kind: 'registered_model' | 'function') =>
    findChain(store, metastore, kind, name).catch((error: unknown) => {
      if (error instanceof Error && 'status' in error && error.status === 404) return undefined;
      throw error;
    });
  // A function is a feature specification, which has no versions.
  const chain = (await find('registered_model')) ?? (await find('function'));
  if (!chain)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `RegisteredModel '${name.slice(0, 300)}' does not exist.` });
  requirePrivilege(call, chain, 'EXECUTE');
  requireReachable(call, chain);
  const { target } = chain;
  if (target.kind === 'registered_model' && version !== undefined) {
    const key = versionKey(dataIdOf(target), numberOf(version));
    if (!(await store.get(modelVersions, key, 'none')))
      throw errors.RESOURCE_DOES_NOT_EXIST({
        reason: `ModelVersion '${fullNameOf(chain)}/${version.slice(0, 20)}' does not exist.`,
      });
  }
  return target.id;
}

/** Why the model of an entity can no longer be deployed, checked when the update ends. */
export async function modelProblem(
  tx: Tx,
  jar: Pick<PlatformJar, 'callerIdentities'>,
  { accountId, workspaceId }: ServingEndpoint,
  entity: ServedEntity,
): Promise<string | undefined> {
  const name = modelOf(entity);
  if (name === undefined) return undefined;
  const version = versionIn(entity);
  if (entity.model === undefined) return problemInRegistry(tx, workspaceId, name, version);
  const chain = await chainById(tx, entity.model);
  if (!chain) return `The model ${name} does not exist any more.`;
  const creator = await jar.callerIdentities.within(tx, accountId, entity.creator);
  if (!creator || !holds(creator, chain, 'EXECUTE')) return `The creator of the entity may not use the model ${name}.`;
  if (chain.target.kind !== 'registered_model' || version === undefined) return undefined;
  const found = (await tx.get(modelVersions, versionKey(dataIdOf(chain.target), numberOf(version)), 'none'))?.value;
  return problemOfVersion(name, version, found?.status);
}

async function problemInRegistry(
  reader: Reader,
  workspaceId: string,
  name: string,
  version: string | undefined,
): Promise<string | undefined> {
  // The store may contain endpoints that were created before models were checked.
  if (isOfCatalog(name)) return undefined;
  const model = await modelNamed(reader, workspaceId, name);
  if (!model) return `The model ${name} does not exist any more.`;
  if (version === undefined) return undefined;
  return problemOfVersion(name, version, (await versionOf(reader, model, numberOf(version)))?.status);
}

const problemOfVersion = (name: string, version: string, status: string | undefined): string | undefined => {
  if (status === undefined) return `Version ${version} of the model ${name} does not exist any more.`;
  return status === 'READY' ? undefined : `Version ${version} of the model ${name} is not ready: it is ${status}.`;
};
