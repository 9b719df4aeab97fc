import { allOf, eq, type Filter, type Order, type Stored } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { namesOf } from '../engine/names.ts';
import { accountIn, type PlatformCall, workspaceIn } from '../jar.ts';
import { Request } from '../tracking/request.ts';
import type { OrderKey } from '../tracking/search/language.ts';
import { MODEL_VERSIONS, REGISTERED_MODELS } from '../tracking/search/languages/registry.ts';
import { parseFilter } from '../tracking/search/parse-filter.ts';
import { parseOrder } from '../tracking/search/parse-order.ts';
import { keyOfModel, type ModelVersion, modelKey, models, type RegisteredModel, versions } from './collections.ts';
import { readableModels } from './find.ts';
import { matches, searchFilter } from './search-filter.ts';
import { maxResults, searchPage } from './search-page.ts';
import { modelViews, versionView } from './views.ts';

const MODELS = { usual: 100, most: 1000 };
const VERSIONS = { usual: 10_000, most: 10_000 };

const ORDER_FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  version_number: 'number',
  creation_timestamp: 'createdAt',
  last_updated_timestamp: 'updatedAt',
};

/** The requested order, followed by the default order as the tie-breaker. */
function orderOf(asked: readonly OrderKey[], usual: readonly Order[]): readonly Order[] {
  const order = asked.map(({ key, descending }) => ({ field: ORDER_FIELDS[key] ?? key, descending }));
  const fields = new Set(order.map(({ field }) => (field === 'number' ? 'backwards' : field)));
  return [...order, ...usual.filter(({ field }) => !fields.has(field))];
}

/** `registered-models/search`, and `list`, which has neither filter nor order. */
export async function searchModels(call: PlatformCall, isList = false): Promise<JsonMembers> {
  const sent = Request.of(call);
  const text = isList ? undefined : sent.text('filter');
  const clauses = isList ? undefined : sent.texts('order_by');
  const { filter, rest } = searchFilter(parseFilter(text, REGISTERED_MODELS));
  const order = orderOf(parseOrder(clauses, REGISTERED_MODELS), [{ field: 'name' }]);
  const { items, next } = await searchPage<RegisteredModel>(call, sent.text('page_token'), {
    collection: models,
    filter: allOf(eq('workspace', workspaceIn(call).id), await readableModels(call), filter),
    order,
    size: maxResults(sent, MODELS.usual, MODELS.most),
    bound: [text ?? ''],
    keep: async (found) => found,
    matches: (model) => matches(model, rest),
  });
  return {
    ...(items.length > 0 && { registered_models: await modelViews(call.jar.store, accountIn(call).id, items) }),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** `model-versions/search`. */
export async function searchVersions(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const text = sent.text('filter');
  const { filter, rest } = searchFilter(parseFilter(text, MODEL_VERSIONS));
  const order = orderOf(parseOrder(sent.texts('order_by'), MODEL_VERSIONS), [
    { field: 'name' },
    { field: 'backwards' },
  ]);
  const readable = await readableModels(call);
  const known = new Map<string, RegisteredModel>();
  const { items, next } = await searchPage<ModelVersion>(call, sent.text('page_token'), {
    collection: versions,
    filter: allOf(eq('workspace', workspaceIn(call).id), await ofFewModels(call, readable), filter),
    order,
    size: maxResults(sent, VERSIONS.usual, VERSIONS.most),
    bound: [text ?? ''],
    keep: (found) => ofReadable(call, found, readable, known),
    matches: (version) => matches(version, rest),
  });
  const people = items.map(({ creator }) => creator);
  const names = await namesOf(call.jar.store, accountIn(call).id, people);
  const views = items.flatMap((version) => {
    const model = known.get(modelKey(version.workspaceId, version.modelId));
    return model ? [versionView(version, model, names)] : [];
  });
  return {
    ...(views.length > 0 && { model_versions: views }),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** Maximum number of models that a filter lists individually. */
const FEW = 500;

/** If the caller may read only a few of many models, restricts the search to them. */
async function ofFewModels({ jar, facts }: PlatformCall, readable: Filter | undefined): Promise<Filter | undefined> {
  if (!readable) return undefined;
  const filter = allOf(eq('workspace', workspaceIn({ facts }).id), readable);
  const { items } = await jar.store.query(models, { filter, limit: FEW + 1 });
  return items.length > FEW ? undefined : { op: 'in', field: 'model', values: items.map(({ key }) => key) };
}

/** Versions of models that the caller may read. Leaves out versions of a deleted model that have not been removed yet. */
async function ofReadable(
  { jar }: PlatformCall,
  found: readonly Stored<ModelVersion>[],
  readable: Filter | undefined,
  known: Map<string, RegisteredModel>,
): Promise<readonly Stored<ModelVersion>[]> {
  const keyOf = ({ value }: Stored<ModelVersion>): string => modelKey(value.workspaceId, value.modelId);
  const values = [...new Set(found.map(keyOf))].filter((key) => !known.has(key));
  if (values.length > 0) {
    const filter = allOf({ op: 'in', field: 'ref', values }, readable);
    const { items } = await jar.store.query(models, { filter, limit: values.length });
    for (const { value } of items) known.set(keyOfModel(value), value);
  }
  return found.filter((stored) => known.has(keyOf(stored)));
}
