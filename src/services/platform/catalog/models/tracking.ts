import { ok } from '../../../../kernel/http/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireManager, requireReachable } from '../core/access.ts';
import type { Chain } from '../core/chain.ts';
import { maxResults } from '../core/list.ts';
import { partsOf } from '../core/names.ts';
import { changeSecurable, createSecurable, deleteSecurable, record } from '../core/operations.ts';
import { deleteAlias, setAlias, versionOfAlias } from './aliases.ts';
import { MODELS, stateOf, withState } from './kind.ts';
import { listEverywhere } from './list.ts';
import { commentIn, readModel } from './operations.ts';
import { checkedTags, type Tags, tagIn, tagsIn, withoutTag } from './tags.ts';
import { changeModel, findVersion, putModel } from './versions.ts';
import { trackingModels, trackingVersions } from './view.ts';

/** Models of the catalog on the paths of the tracking API, as its Python client calls them. The names there are full names. */

const PATH = '/mlflow/unity-catalog/registered-models';

/** The parameters of a call: from the body, or from the query for a GET, and for a DELETE without a body. */
export const saidIn = (call: PlatformCall): Sent =>
  new Sent(call.body === undefined || call.body === null ? { ...call.query } : call.body);

export const trackingRow = (
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  handle: (call: PlatformCall, sent: Sent) => Promise<object>,
): Operation => ({
  method,
  path,
  operation,
  summary,
  code: routeCode([], { handle: async (call) => ok(await handle(call, saidIn(call))) }),
});

const shown = async (call: PlatformCall, chain: Chain) => ({
  registered_model: (await trackingModels(call, [chain]))[0] ?? {},
});

/** The model's name in its schema, from its full name. A model cannot move to another schema. */
function newNameIn(name: string, sent: Sent): string | undefined {
  const full = sent.text('new_name');
  if (full === undefined || full === '') return undefined;
  const parts = partsOf('registered_model', full, 3);
  const before = partsOf('registered_model', name, 3);
  if (parts.slice(0, 2).join('.').toLowerCase() !== before.slice(0, 2).join('.').toLowerCase())
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'A model cannot be moved to another schema.' });
  return parts[2];
}

const retag = (call: PlatformCall, name: string, change: (tags: Tags) => Tags): Promise<object> =>
  changeModel(call, name, async (tx, chain) => {
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    await putModel(tx, withState(chain.target, { tags: checkedTags(change(stateOf(chain.target).tags)) }));
    await record(tx, call, 'update', chain);
    return {};
  });

export const TRACKING_MODEL_OPERATIONS: readonly Operation[] = [
  trackingRow('POST', `${PATH}/create`, 'ucModels_create', 'Create a model of the catalog', async (call, sent) => {
    const full = sent.need('name');
    const [catalog, schema, name = ''] = partsOf('registered_model', full, 3);
    const comment = commentIn(sent, 'description');
    const tags = tagsIn(sent);
    const chain = await createSecurable(call, MODELS, {
      name,
      above: `${catalog}.${schema}`,
      sent: { comment },
      extra: { tags },
    });
    return shown(call, chain);
  }),
  trackingRow('GET', `${PATH}/get`, 'ucModels_get', 'Read a model of the catalog', async (call, sent) =>
    shown(call, await readModel(call, sent.need('name'))),
  ),
  trackingRow('PATCH', `${PATH}/update`, 'ucModels_update', 'Change a model of the catalog', async (call, sent) => {
    const name = sent.need('name');
    const change = { comment: sent.text('description'), new_name: newNameIn(name, sent) };
    return shown(call, await changeSecurable(call, MODELS, name, change));
  }),
  trackingRow('DELETE', `${PATH}/delete`, 'ucModels_delete', 'Delete a model of the catalog', async (call, sent) => {
    await deleteSecurable(call, MODELS, sent.need('name'));
    return {};
  }),
  trackingRow('GET', `${PATH}/search`, 'ucModels_search', 'List the models of the catalog', async (call) => {
    const { chains, next } = await listEverywhere(call, maxResults(call, { most: 1000, usual: 100 }));
    const models = await trackingModels(call, chains);
    return { registered_models: models, ...(next !== undefined && { next_page_token: next }) };
  }),
  trackingRow('POST', `${PATH}/set-tag`, 'ucModels_setTag', 'Set a tag of a model of the catalog', (call, sent) =>
    retag(call, sent.need('name'), (tags) => ({ ...tags, ...Object.fromEntries([tagIn(sent)]) })),
  ),
  trackingRow(
    'DELETE',
    `${PATH}/delete-tag`,
    'ucModels_deleteTag',
    'Delete a tag of a model of the catalog',
    (call, sent) => retag(call, sent.need('name'), (tags) => withoutTag(tags, sent.need('key'))),
  ),
  trackingRow(
    'POST',
    `${PATH}/alias`,
    'ucModels_setAlias',
    'Set an alias of a model of the catalog',
    async (call, sent) => {
      await setAlias(call, sent.need('name'), sent.need('alias'), () => sent.whole('version') ?? '');
      return {};
    },
  ),
  trackingRow(
    'DELETE',
    `${PATH}/alias`,
    'ucModels_deleteAlias',
    'Delete an alias of a model of the catalog',
    async (call, sent) => {
      await deleteAlias(call, sent.need('name'), sent.need('alias'));
      return {};
    },
  ),
  trackingRow(
    'GET',
    `${PATH}/alias`,
    'ucModels_getByAlias',
    'Read the version that an alias of a model of the catalog points to',
    async (call, sent) => {
      const chain = await readModel(call, sent.need('name'));
      const found = await findVersion(call.jar.store, chain, versionOfAlias(chain, sent.need('alias')));
      return { model_version: (await trackingVersions(call, [found]))[0] ?? {} };
    },
  ),
];
