import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { namesOf } from '../../engine/names.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { type Chain, fullNameOf } from '../core/chain.ts';
import { viewChains } from '../core/list.ts';
import { addressOf, aliasesOf, aliasViews, MODELS, stateOf } from './kind.ts';
import type { VersionOf } from './versions.ts';

/** Views of models and versions, in the catalog API and in the tracking API. */

export async function modelViews(call: PlatformCall, chains: readonly Chain[]): Promise<readonly JsonMembers[]> {
  const views = await viewChains(call, MODELS, chains);
  if (call.query.include_aliases !== 'true') return views;
  return views.map((view, index) => ({ ...view, aliases: aliasViews((chains[index] as Chain).target) }));
}

const names = (call: PlatformCall, people: readonly string[]) => namesOf(call.jar.store, accountIn(call).id, people);

const folderOf = ({ chain, version }: VersionOf): string => `${addressOf(chain)}/versions/${version.id}`;

export const versionAddress = folderOf;

export async function versionViews(call: PlatformCall, found: readonly VersionOf[]): Promise<readonly JsonMembers[]> {
  const { nameOf } = await names(
    call,
    found.flatMap(({ version }) => [version.createdBy, version.updatedBy]),
  );
  return found.map((each) => {
    const { chain, version } = each;
    const [schema, catalog] = chain.above;
    return {
      model_name: chain.target.name,
      catalog_name: catalog?.name,
      schema_name: schema?.name,
      version: version.version,
      id: version.id,
      status: version.status,
      source: version.source,
      storage_location: folderOf(each),
      metastore_id: version.metastore,
      comment: version.comment,
      run_id: version.runId,
      run_workspace_id: version.runWorkspaceId,
      created_at: version.createdAt,
      created_by: nameOf(version.createdBy),
      updated_at: version.updatedAt,
      updated_by: nameOf(version.updatedBy),
      ...(call.query.include_aliases === 'true' && { aliases: aliasViews(chain.target, version.version) }),
    };
  });
}

const pairs = (tags: Readonly<Record<string, string>> = {}) =>
  Object.entries(tags).map(([key, value]) => ({ key, value }));

export async function trackingModels(call: PlatformCall, chains: readonly Chain[]): Promise<readonly JsonMembers[]> {
  const { nameOf } = await names(
    call,
    chains.map(({ target }) => target.createdBy),
  );
  return chains.map((chain) => ({
    name: fullNameOf(chain),
    creation_timestamp: chain.target.createdAt,
    last_updated_timestamp: chain.target.updatedAt,
    user_id: nameOf(chain.target.createdBy),
    description: chain.target.fields.comment ?? '',
    aliases: aliasesOf(chain.target).map(([alias, version]) => ({ alias, version: String(version) })),
    tags: pairs(stateOf(chain.target).tags),
  }));
}

export async function trackingVersions(
  call: PlatformCall,
  found: readonly VersionOf[],
): Promise<readonly JsonMembers[]> {
  const { nameOf } = await names(
    call,
    found.map(({ version }) => version.createdBy),
  );
  return found.map((each) => {
    const { chain, version } = each;
    return {
      name: fullNameOf(chain),
      version: String(version.version),
      creation_timestamp: version.createdAt,
      last_updated_timestamp: version.updatedAt,
      user_id: nameOf(version.createdBy),
      description: version.comment ?? '',
      source: version.source,
      run_id: version.runId,
      run_workspace_id: version.runWorkspaceId,
      status: version.status,
      storage_location: folderOf(each),
      aliases: aliasesOf(chain.target, version.version).map(([alias]) => alias),
      tags: pairs(version.tags),
    };
  });
}
