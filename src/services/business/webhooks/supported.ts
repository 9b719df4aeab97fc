import { type Answer, ok } from '../../../kernel/http/index.ts';
import {
  applySelect,
  checkSelect,
  compileFilter,
  compileOrder,
  contextOf,
  Evaluator,
  entityShape,
  isGuid,
  parseSelect,
  type QueryOptions,
  readQueryOptions,
} from '../../../kernel/odata/index.ts';
import { collection, text } from '../../../kernel/store/index.ts';
import { filterRewriter } from '../api/filter.ts';
import { parsePath, type Segment } from '../api/path.ts';
import { refusingQuery } from '../api/refuse.ts';
import { errors } from '../errors.ts';
import type { BusinessCall } from '../jar.ts';
import type { Model } from '../model/types.ts';
import { companyById, companyByName } from '../records/companies.ts';
import type { Company } from '../records/company.ts';
import type { Actor } from '../users/actor.ts';
import { whyNotNotifiable } from './notifiable.ts';

/** For example `v2.0/customers`, `contoso/fleet/v1.0/vehicles`. */
export interface SupportedResource {
  readonly resource: string;
}

/** Every collection that can be subscribed to, in the order of the APIs and of their sets. */
function supportedResources(model: Model): SupportedResource[] {
  return model.apis.flatMap((api) =>
    api.pages
      .filter((page) => whyNotNotifiable(model, api, page) === undefined)
      .map(({ set }) => ({ resource: `${api.route}/${set}` })),
  );
}

const SET = 'webhookSupportedResources';

/** The rows are not stored; the shape only serves filters and orders. */
const shape = entityShape<SupportedResource>({
  name: 'webhookSupportedResource',
  collection: collection('business.supported', { fields: { resource: text(({ resource }) => resource) } }),
  properties: { resource: { type: 'Edm.String', field: 'resource' } },
  scan: 'bounded',
});

/** Base address and path of a request to the runtime API, which describes the application itself. */
export interface RuntimeAddress {
  readonly base: string;
  readonly path: string;
}

/** Answers requests below `/api/vendor/runtime/{version}` and `/api/microsoft/runtime/{version}`. */
export async function handleRuntime(call: BusinessCall, actor: Actor, { base, path }: RuntimeAddress): Promise<Answer> {
  const model = call.jar.model;
  const segments = parsePath(path);
  if (!/\/beta$/i.test(base)) throw unknown(call, "; the runtime API has only the version 'beta'");
  const isCount = segments.at(-1)?.name === '$count';
  const steps = isCount ? segments.slice(0, -1) : segments;
  const set = steps.at(-1);
  if (set?.name.toLowerCase() !== SET.toLowerCase() || set.key !== undefined || steps.length > 2) {
    throw unknown(call, `; there is companies({id})/${SET}`);
  }
  if (call.method !== 'GET' && call.method !== 'HEAD') {
    const values = { method: call.method, resource: SET, allowed: 'GET' };
    throw errors.BadRequest_MethodNotAllowed(values, { headers: { allow: 'GET' } });
  }
  const company = await companyIn(call, model, actor, steps.length === 2 ? steps[0] : undefined);
  return refusingQuery(async () => {
    const options = readQueryOptions(call.query);
    const found = select(supportedResources(model), options, call);
    if (isCount) return { status: 200, headers: { 'content-type': 'text/plain' }, body: String(found.length) };
    const shown = presented(found, options);
    return ok({
      '@odata.context': contextOf(base, `companies(${company.id})/${SET}`, options.select),
      ...(options.count === true && { '@odata.count': found.length }),
      value: shown,
    });
  });
}

/** Applies the filter and the order. */
function select(
  all: readonly SupportedResource[],
  { filter, orderBy }: QueryOptions,
  { query, receivedAt, jar }: BusinessCall,
): readonly SupportedResource[] {
  const [order] = orderBy === undefined ? [] : compileOrder(shape, orderBy);
  let found = all;
  if (filter !== undefined) {
    const rewrite = filterRewriter({ properties: [] }, jar.model.table('company'), query.$schemaversion === '2.1');
    const { predicate } = compileFilter(shape, filter, receivedAt, rewrite);
    const evaluator = new Evaluator(shape.collection);
    found = found.filter((row) => evaluator.matches(predicate, row));
  }
  if (!order) return found;
  const sign = order.descending ? -1 : 1;
  return [...found].sort((one, other) => sign * (one.resource < other.resource ? -1 : 1));
}

function presented(found: readonly SupportedResource[], { select, skip = 0, top }: QueryOptions): readonly object[] {
  const page = found.slice(skip, top === undefined ? undefined : skip + top);
  if (select === undefined) return page;
  const selected = parseSelect(select);
  checkSelect(shape, selected, '$select', select);
  return page.map((row) => applySelect({ ...row }, selected));
}

/** Named by the path or by `?company=`. All companies support the same resources, but the company must exist. */
async function companyIn(
  { jar, query }: BusinessCall,
  model: Model,
  actor: Actor,
  step: Segment | undefined,
): Promise<Company> {
  const isStep = step === undefined || step.name.toLowerCase() === 'companies';
  const named = isStep ? (step ? step.key : query.company) : undefined;
  if (typeof named !== 'string') throw errors.Internal_CompanyNotFound({ company: 'in the request' });
  const company = await (isGuid(named) ? companyById : companyByName)(jar.store, model, actor.tenantId, named);
  if (!company) throw errors.Internal_CompanyNotFound({ company: `'${named.slice(0, 100)}'` });
  return company;
}

const unknown = (call: BusinessCall, hint: string): Error =>
  errors.BadRequest_ResourceNotFound({ resource: call.path.slice(0, 300), hint });
