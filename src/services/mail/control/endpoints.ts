import { Type } from 'typebox';
import { noContent } from '../../../kernel/http/index.ts';
import { entityShape, type Item, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { endpoints } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { stateOf, sumOf } from '../notifications/endpoints.ts';
import type { Endpoint } from '../notifications/types.ts';
import { mailControlErrors } from './errors.ts';

/** Receivers of change notifications, and their response times. */

const shape = entityShape<Endpoint>({
  name: 'endpoints',
  collection: endpoints,
  properties: {
    id: { type: 'Edm.String', field: 'key' },
    tenantId: { type: 'Edm.Guid' },
    address: { type: 'Edm.String', field: 'address' },
    lost: { type: 'Edm.Int64' },
    lastAt: { type: 'Edm.DateTimeOffset', field: 'lastAt' },
  },
  scan: 'bounded',
});

const View = Type.Object({
  id: Type.String(),
  tenantId: Type.String(),
  address: Type.String({ description: 'Without the query' }),
  state: Type.Enum(['normal', 'slow', 'drop']),
  until: Type.Union([Type.String(), Type.Null()], { description: "End of the state, by the jar's clock" }),
  answers: Type.Integer({ description: 'In the last ten minutes' }),
  slow: Type.Integer({ description: 'Of these, over 3 seconds' }),
  late: Type.Integer({ description: 'Of these, over 10 seconds' }),
  lost: Type.Integer({ description: 'Number of dropped notifications' }),
  lastAt: Type.String(),
});

const viewOf = ({ key, value }: Item<Endpoint>, now: number) => {
  const { tenantId, address, lost, lastAt, minutes } = value;
  const state = stateOf(value, now);
  return {
    id: key,
    tenantId,
    address,
    state: state?.is ?? 'normal',
    until: state ? isoTime(state.until) : null,
    ...sumOf(minutes),
    lost,
    lastAt: isoTime(lastAt),
  };
};

export const listEndpoints = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(View) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      order: [{ field: 'lastAt', descending: true }],
      seen: ({ key, value }) => ({ ...value, id: key }),
      view: (item) => viewOf(item, call.jar.clock.now()),
    }),
});

/** The receiver is then notified as if it had never been slow. */
export const forgetEndpoint = routeCode(['endpoint'], {
  responses: { 204: 'The response times of the receiver are reset' },
  async handle({ jar, params }) {
    if (!(await jar.store.transact((tx) => tx.delete(endpoints, params.endpoint))))
      throw mailControlErrors.EndpointNotFound({ id: params.endpoint.slice(0, 100) });
    return noContent();
  },
});
