import { routeCode } from '../../jar.ts';
import { rowOf } from '../../limits/declared.ts';
import type { Operation } from '../../operation.ts';
import { admitQuery, checkPayload, queryByModel, queryByName } from './invoke.ts';

const PATH = '/serving-endpoints';

/** Limit for chunked bodies; the limits refuse a body with a declared length before any of it is read. */
const bodyLimitBytes = rowOf('serving-payload').limit as number;

const common = { method: 'POST', accepts: 'bytes', bodyLimitBytes } as const;
const at = (path: string) => ({ path, bare: [path] }) as const;

/** The call format of other providers: the endpoint is the `model` of the body. */
const byModel = (path: string, operation: string, summary: string): Operation => ({
  ...common,
  ...at(`${PATH}/${path}`),
  operation,
  summary,
  code: routeCode([], {
    admit: (call) => checkPayload(call, '', Number(call.headers['content-length'] ?? 0)),
    handle: queryByModel,
  }),
});

export const QUERY_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    ...at(`${PATH}/{name}/invocations`),
    operation: 'servingEndpoints_query',
    summary: 'Queries a serving endpoint',
    code: routeCode(['name'], {
      admit: (call) => admitQuery(call, call.params.name),
      handle: (call) => queryByName(call, call.params.name),
    }),
  },
  {
    ...common,
    ...at(`${PATH}/{name}/served-models/{served_model_name}/invocations`),
    operation: 'servingEndpoints_queryServedModel',
    summary: 'Queries one of the entities that a serving endpoint serves',
    code: routeCode(['name', 'served_model_name'], {
      admit: (call) => admitQuery(call, call.params.name),
      handle: (call) => queryByName(call, call.params.name, call.params.served_model_name),
    }),
  },
  byModel('chat/completions', 'servingEndpoints_chat', 'Queries the endpoint that the body names as model: chat'),
  byModel('completions', 'servingEndpoints_complete', 'Queries the endpoint that the body names as model: text'),
  byModel('embeddings', 'servingEndpoints_embed', 'Queries the endpoint that the body names as model: embeddings'),
];
