import { ok } from '../../../../kernel/http/index.ts';
import { eq } from '../../../../kernel/store/index.ts';
import { readPage } from '../../engine/paging.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireManager, requireReachable } from '../core/access.ts';
import type { Chain } from '../core/chain.ts';
import { maxResults } from '../core/list.ts';
import { dataIdOf } from '../core/securables.ts';
import { CATALOG_VERSIONS, catalogOperations, readSecurable } from '../core/wire.ts';
import { deleteAlias, setAlias, versionOfAlias } from './aliases.ts';
import { modelVersions } from './collections.ts';
import { MODELS } from './kind.ts';
import { listModels } from './list.ts';
import { changeModel, deleteVersion, findVersion, type VersionOf, versionNumber, writeVersion } from './versions.ts';
import { modelViews, versionViews } from './view.ts';

const PATH = '/unity-catalog/models';
const ONE = `${PATH}/{full_name}`;
const VERSION = `${ONE}/versions/{version}`;
const ALIAS = `${ONE}/aliases/{alias}`;

const row = (
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  code: Operation['code'],
): Operation => ({ method, path, versions: CATALOG_VERSIONS, operation, summary, code });

export const readModel = (call: PlatformCall, name: string): Promise<Chain> => readSecurable(call, MODELS, name);

const readVersion = async (call: PlatformCall, name: string, sent: string): Promise<VersionOf> => {
  const chain = await readModel(call, name);
  return findVersion(call.jar.store, chain, versionNumber(chain, sent));
};

const shown = async (call: PlatformCall, found: VersionOf) => (await versionViews(call, [found]))[0] ?? {};

/** The versions of a model, the newest first. */
export async function versionsPage(call: PlatformCall, chain: Chain) {
  const { items, next } = await readPage(call, {
    collection: modelVersions,
    query: { filter: eq('model', dataIdOf(chain.target)), order: [{ field: 'version', descending: true }] },
    size: maxResults(call, { most: 1000, usual: 100 }),
  });
  return { found: items.map(({ value }): VersionOf => ({ chain, version: value })), next };
}

const LONGEST_COMMENT = 65_536;

/** Reads a description and checks its length. */
export function commentIn(sent: Sent, field: string): string | undefined {
  const text = sent.text(field);
  if (text !== undefined && text.length > LONGEST_COMMENT)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${field}' must be at most ${LONGEST_COMMENT} characters.`,
    });
  return text;
}

export const changeVersion = (call: PlatformCall, name: string, sent: string, comment: () => string | undefined) =>
  changeModel(call, name, async (tx, chain) => {
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    const found = await findVersion(tx, chain, versionNumber(chain, sent));
    const text = comment();
    return writeVersion(tx, call, found, text === undefined ? {} : { comment: text });
  });

export const MODEL_OPERATIONS: readonly Operation[] = [
  ...catalogOperations(MODELS, {
    of: 'Registered models',
    operations: 'catalogModels',
    path: '/models',
    array: 'registered_models',
    verbs: ['create', 'update', 'delete'],
  }),
  row(
    'GET',
    PATH,
    'catalogModels_list',
    'Registered models: list them',
    routeCode([], {
      async handle(call) {
        const { chains, next } = await listModels(call);
        const views = await modelViews(call, chains);
        return ok({ registered_models: views, ...(next !== undefined && { next_page_token: next }) });
      },
    }),
  ),
  row(
    'GET',
    ONE,
    'catalogModels_get',
    'Registered models: read one',
    routeCode(['full_name'], {
      async handle(call) {
        const [view] = await modelViews(call, [await readModel(call, call.params.full_name)]);
        return ok(view ?? {});
      },
    }),
  ),
  row(
    'GET',
    `${ONE}/versions`,
    'catalogModelVersions_list',
    'List the versions of a registered model',
    routeCode(['full_name'], {
      async handle(call) {
        const { found, next } = await versionsPage(call, await readModel(call, call.params.full_name));
        const views = await versionViews(call, found);
        return ok({ model_versions: views, ...(next !== undefined && { next_page_token: next }) });
      },
    }),
  ),
  row(
    'GET',
    VERSION,
    'catalogModelVersions_get',
    'Read a version of a registered model',
    routeCode(['full_name', 'version'], {
      handle: async (call) =>
        ok(await shown(call, await readVersion(call, call.params.full_name, call.params.version))),
    }),
  ),
  row(
    'PATCH',
    VERSION,
    'catalogModelVersions_update',
    'Change the comment of a version of a registered model',
    routeCode(['full_name', 'version'], {
      async handle(call) {
        const { full_name: name, version } = call.params;
        const comment = () => commentIn(new Sent(call.body), 'comment');
        return ok(await shown(call, await changeVersion(call, name, version, comment)));
      },
    }),
  ),
  row(
    'DELETE',
    VERSION,
    'catalogModelVersions_delete',
    'Delete a version of a registered model',
    routeCode(['full_name', 'version'], {
      async handle(call) {
        await deleteVersion(call, call.params.full_name, call.params.version);
        return ok({});
      },
    }),
  ),
  row(
    'GET',
    ALIAS,
    'catalogModelVersions_getByAlias',
    'Read the version of a registered model that an alias points to',
    routeCode(['full_name', 'alias'], {
      async handle(call) {
        const chain = await readModel(call, call.params.full_name);
        const version = versionOfAlias(chain, call.params.alias);
        return ok(await shown(call, await findVersion(call.jar.store, chain, version)));
      },
    }),
  ),
  row(
    'PUT',
    ALIAS,
    'catalogModels_setAlias',
    'Point an alias to a version of a registered model',
    routeCode(['full_name', 'alias'], {
      async handle(call) {
        const { full_name: name, alias } = call.params;
        return ok(await setAlias(call, name, alias, () => neededVersion(call.body)));
      },
    }),
  ),
  row(
    'DELETE',
    ALIAS,
    'catalogModels_deleteAlias',
    'Delete an alias of a registered model',
    routeCode(['full_name', 'alias'], {
      async handle(call) {
        await deleteAlias(call, call.params.full_name, call.params.alias);
        return ok({});
      },
    }),
  ),
];

function neededVersion(body: unknown): number {
  const version = new Sent(body).whole('version_num');
  if (version === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'version_num' });
  return version;
}
