import { allOf, eq, type Filter, type Order } from '../../../../kernel/store/index.ts';
import { namesOf } from '../../engine/names.ts';
import { pageSize } from '../../engine/paging.ts';
import { readTwoWayPage } from '../../engine/two-way-paging.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { clusters } from '../collections.ts';
import { queryTexts, tokenIn } from './request.ts';
import { clusterView } from './view.ts';

const SIZES = { usual: 20, most: 100 };
/** Version 2.0 had no pagination: without a page size it returns everything. */
const OLD_SIZES = { usual: 10_000, most: 10_000 };

const sizesOf = ({ path, query }: PlatformCall) =>
  path.startsWith('/api/2.0/') && query.page_size === undefined && query.page_token === undefined ? OLD_SIZES : SIZES;

const STATES = ['PENDING', 'RUNNING', 'RESTARTING', 'RESIZING', 'TERMINATING', 'TERMINATED', 'ERROR', 'UNKNOWN'];
const SOURCES = ['UI', 'API', 'JOB', 'PIPELINE', 'PIPELINE_MAINTENANCE', 'SQL', 'MODELS'];

const oneOf = (call: PlatformCall, name: string, words: readonly string[]): readonly string[] => {
  const asked = queryTexts(call, name);
  for (const word of asked)
    if (!words.includes(word))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The parameter '${name}' must be one of ${words.join(', ')}, not '${word.slice(0, 100)}'.`,
      });
  return asked;
};

const within = (field: string, values: readonly string[]): Filter | undefined =>
  values.length === 0 ? undefined : { op: 'in', field, values };

/** State, pinned or not, name, in descending precedence. */
const BY_STATE = ['stateRank', 'unpinned', 'name'];

function orderOf(call: PlatformCall): readonly Order[] {
  const [field = 'DEFAULT'] = oneOf(call, 'sort_by.field', ['DEFAULT', 'CLUSTER_NAME']);
  const [direction = 'ASC'] = oneOf(call, 'sort_by.direction', ['ASC', 'DESC']);
  const descending = direction === 'DESC';
  return (field === 'DEFAULT' ? BY_STATE : ['name']).map((each) => ({ field: each, descending }));
}

/** Pinned clusters, active clusters, and clusters terminated in the last 30 days. */
export async function listClusters(call: PlatformCall): Promise<object> {
  const [pinned] = oneOf(call, 'filter_by.is_pinned', ['true', 'false']);
  const [policy] = queryTexts(call, 'filter_by.policy_id');
  const filter = allOf(
    eq('workspace', workspaceIn(call).id),
    { op: 'or', args: [eq('unlisted', null), eq('unpinned', 0)] },
    within('state', oneOf(call, 'filter_by.cluster_states', STATES)),
    within('source', oneOf(call, 'filter_by.cluster_sources', SOURCES)),
    pinned === undefined ? undefined : eq('unpinned', pinned === 'true' ? 0 : 1),
    policy === undefined ? undefined : eq('policy', policy),
    readersFilter(call),
  );
  const query = { filter, order: orderOf(call) };
  const size = pageSize(call.query, sizesOf(call));
  const { items, tokens } = await readTwoWayPage(call, { collection: clusters, query, size, token: tokenIn(call) });
  const names = await namesOf(
    call.jar.store,
    accountIn(call).id,
    items.map(({ value }) => value.owner),
  );
  return {
    clusters: items.map(({ value }) => clusterView(value, names, { nodes: false, now: call.jar.clock.now() })),
    ...tokens,
  };
}
