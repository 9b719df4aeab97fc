import { allOf, eq } from '../../../../kernel/store/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { type Experiment, type ExperimentTag, experimentKey, experiments, experimentTags } from '../collections.ts';
import { experimentViews, STAGES, viewTypeIn } from '../experiments/read.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { EXPERIMENTS } from './languages/experiments.ts';
import { parseFilter } from './parse-filter.ts';
import { parseOrder } from './parse-order.ts';
import { SearchTokens } from './requests.ts';
import { searchPage } from './search.ts';
import type { Searchable, ValueColumn } from './searchable.ts';

const tagColumn: ValueColumn<ExperimentTag> = {
  collection: experimentTags,
  type: 'text',
  thingOf: ({ workspaceId, experimentId }) => experimentKey(workspaceId, experimentId),
  valueOf: ({ value }) => value,
  // Experiments are never ordered by tags.
  tieOf: () => 0,
};

export const SEARCHED_EXPERIMENTS: Searchable<Experiment> = {
  collection: experiments,
  attributes: {
    name: { field: 'name', of: (experiment) => experiment.name },
    experiment_id: { field: 'experimentId', of: (experiment) => experiment.id },
    creation_time: { field: 'createdAt', of: (experiment) => experiment.createdAt },
    last_update_time: { field: 'updatedAt', of: (experiment) => experiment.updatedAt },
  },
  values: { tag: tagColumn },
  related: {},
  tie: 'createdBack',
  tieOf: ({ createdAt }) => -createdAt,
  equalsByKeyDescending: true,
};

const SIZES = { usual: 1000, most: 3000 };

/** `experiments/search`: experiments that the caller may read. */
export async function searchExperiments(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const request = Request.of(call);
  const view = viewTypeIn(request);
  const limit = mostResults(request, SIZES);
  const filter = request.text('filter');
  const orderBy = request.texts('order_by');
  const tokens = new SearchTokens(call, 'experiments', [filter ?? '', view, orderBy]);
  const comparisons = parseFilter(filter, EXPERIMENTS);
  const order = parseOrder(orderBy, EXPERIMENTS);
  const after = tokens.placeIn(request);
  const { id: workspace } = workspaceIn(call);
  const readable = readersFilter(call);
  const { things, next } = await searchPage(store, SEARCHED_EXPERIMENTS, {
    scopes: STAGES[view].map((stage) => ({
      within: allOf(eq('workspace', workspace), eq('stage', stage)),
      path: (name: string) => `${workspace}/${name}`,
    })),
    comparisons,
    also: readable ? [readable] : [],
    order,
    after,
    limit,
  });
  const found = await experimentViews(
    store,
    things.map(({ value }) => value),
  );
  return { ...(found.length > 0 && { experiments: found }), ...tokens.next(next) };
}
