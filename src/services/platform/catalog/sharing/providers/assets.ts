import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { wholeNumber } from '../../../engine/paging.ts';
import { errors } from '../../../errors.ts';
import type { PlatformCall } from '../../../jar.ts';
import { metastoreOf } from '../../core/chain.ts';
import type { Securable } from '../../core/securables.ts';
import { readSecurable } from '../../core/wire.ts';
import type { SharedObject } from '../collections.ts';
import { readableShares, recipientBehind } from '../readable-shares.ts';
import { recipientOf } from '../recipients/tokens.ts';
import { objectsOf } from '../shares/view.ts';
import { PROVIDERS, profileOf } from './kind.ts';
import { type RemoteProvider, remoteShares, remoteTables } from './remote.ts';

/**
 * Content that providers share with this metastore: read directly for metastores of this jar, requested over HTTP from providers outside.
 */

type Shares =
  | { readonly remote: RemoteProvider; readonly shares: readonly JsonMembers[] }
  | { readonly remote?: undefined; readonly shares: readonly Securable[] };

async function sharesOf(call: PlatformCall, name: string): Promise<Shares> {
  const chain = await readSecurable(call, PROVIDERS, name);
  const { store, clock } = call.jar;
  const profile = profileOf(call.jar, chain.target);
  const recipient = profile
    ? await recipientOf(store, profile.bearer, clock.now())
    : await recipientBehind(store, chain.target, metastoreOf(chain));
  if (profile && !recipient) {
    const remote = { name: chain.target.name, profile };
    return { remote, shares: await remoteShares(call, remote) };
  }
  return { shares: recipient ? await readableShares(store, recipient) : [] };
}

export async function shareNames(call: PlatformCall, provider: string): Promise<readonly JsonMembers[]> {
  const { shares } = await sharesOf(call, provider);
  return shares.map(({ name }) => ({ name: String(name) }));
}

const LISTED = ['tables', 'volumes', 'functions', 'models', 'notebooks'] as const;
type Listed = (typeof LISTED)[number];

const TYPES: Readonly<Record<Listed, readonly SharedObject['type'][]>> = {
  tables: ['TABLE', 'VIEW', 'MATERIALIZED_VIEW', 'STREAMING_TABLE', 'FOREIGN_TABLE'],
  volumes: ['VOLUME'],
  functions: ['FUNCTION', 'FEATURE_SPEC'],
  models: ['MODEL'],
  notebooks: ['NOTEBOOK_FILE'],
};

/** Everything in a provider's share. For a provider outside the jar only tables, since the open protocol lists nothing else. */
export async function assetsOf(call: PlatformCall, provider: string, name: string): Promise<JsonMembers> {
  const most = (array: Listed): number => mostOf(call, `${array.slice(0, -1)}_max_results`);
  for (const array of LISTED) most(array);
  const { remote, shares } = await sharesOf(call, provider);
  const share = shares.find((each) => String(each.name).toLowerCase() === name.toLowerCase());
  if (!share)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `The provider '${provider.slice(0, 255)}' shares no '${name.slice(0, 255)}'.`,
    });
  if (remote) {
    const tables = await remoteTables(call, remote, String(share.name));
    return { share: shareView(share as JsonMembers), tables: tables.map(tableView).slice(0, most('tables')) };
  }
  const { id, fields } = share as Securable;
  const found = await objectsOf(call.jar.store, id);
  const listed = LISTED.map((array): [string, JsonMembers[]] => [
    array,
    found
      .filter(({ type }) => TYPES[array].includes(type))
      .slice(0, most(array))
      .map((each) => assetView(share as Securable, each)),
  ]);
  return { share: shareView({ ...share, comment: fields.comment } as JsonMembers), ...Object.fromEntries(listed) };
}

function mostOf({ query }: PlatformCall, parameter: string): number {
  const asked = wholeNumber(query, parameter);
  if (asked === undefined || asked === 0) return Number.POSITIVE_INFINITY;
  if (asked > 0) return asked;
  throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${parameter}' must not be negative.` });
}

const shareView = ({ name, id, comment }: JsonMembers): JsonMembers => ({
  name: String(name),
  ...(typeof id === 'string' && { id }),
  ...(typeof comment === 'string' && { comment }),
});

const tableView = ({ name, schema, share, shareId, id }: JsonMembers): JsonMembers => ({
  name: String(name),
  ...(typeof schema === 'string' && { schema }),
  ...(typeof share === 'string' && { share }),
  ...(typeof shareId === 'string' && { share_id: shareId }),
  ...(typeof id === 'string' && { id }),
});

function assetView(share: Securable, { sharedAs, securable, type, fields }: SharedObject): JsonMembers {
  const [schema = '', ...rest] = sharedAs.split('.');
  const isNotebook = type === 'NOTEBOOK_FILE';
  return {
    name: isNotebook ? sharedAs : rest.join('.'),
    share: share.name,
    share_id: share.id,
    ...(!isNotebook && { schema }),
    ...(securable !== undefined && { id: securable }),
    ...(fields.comment !== undefined && { comment: fields.comment }),
  };
}
