import { Type } from 'typebox';
import { errorTable, ok, type Route, routeOf } from '../../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../../kernel/odata/index.ts';
import { eq, type Tx } from '../../../../kernel/store/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import { textOf } from '../../engine/json.ts';
import { routeCode } from '../../jar.ts';
import { CONNECTION_STATES, type ConnectionState, type EndpointRule, endpointRules } from './collections.ts';
import { saveRule } from './endpoints.ts';

/** The side of the owners of private endpoints' target resources: they approve, reject and disconnect. */

export const endpointErrors = errorTable({
  EndpointNotFound: [404, "There is no private endpoint '{id}'; GET /_jar/platform/private-endpoints lists them."],
  EndpointState: [409, "The private endpoint '{id}' is {state}, not {wanted}."],
});

const Text = { type: 'Edm.String' } as const;

const shape = entityShape<EndpointRule>({
  name: 'private endpoints',
  collection: endpointRules,
  properties: {
    id: { ...Text, field: 'id' },
    accountId: Text,
    configurationId: Text,
    region: Text,
    state: Text,
    resourceId: { ...Text, read: ({ target }: EndpointRule) => target.resource_id },
    groupId: { ...Text, read: ({ target }: EndpointRule) => target.group_id },
    createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
  },
  scan: 'bounded',
});

const EndpointView = Type.Object({
  id: Type.String(),
  accountId: Type.String(),
  configurationId: Type.String(),
  region: Type.String(),
  state: Type.Enum([...CONNECTION_STATES]),
  deactivated: Type.Boolean(),
  resourceId: Type.Optional(Type.String()),
  groupId: Type.Optional(Type.String()),
  endpointService: Type.Optional(Type.String()),
  createdAt: Type.String(),
});

const view = ({ id, accountId, configurationId, region, state, deactivatedAt, target, createdAt }: EndpointRule) =>
  omitAbsent({
    id,
    accountId,
    configurationId,
    region,
    state,
    deactivated: deactivatedAt !== undefined,
    resourceId: textOf(target.resource_id),
    groupId: textOf(target.group_id),
    endpointService: textOf(target.endpoint_service),
    createdAt: isoTime(createdAt),
  });

const listEndpoints = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(EndpointView) },
  handle: (call) => listAnswer(call, { shape, order: [{ field: 'createdAt' }], view: ({ value }) => view(value) }),
});

async function found(tx: Tx, id: string, wanted: ConnectionState): Promise<EndpointRule> {
  const first = (await tx.query(endpointRules, { filter: eq('id', id), limit: 1 })).items[0];
  const rule = first && (await tx.get(endpointRules, first.key))?.value;
  if (!rule) throw endpointErrors.EndpointNotFound({ id: id.slice(0, 100) });
  if (rule.state !== wanted || rule.deactivatedAt !== undefined)
    throw endpointErrors.EndpointState({
      id,
      state: rule.deactivatedAt === undefined ? rule.state : 'deactivated',
      wanted,
    });
  return rule;
}

/** `fail` has a reason; the others have no body. */
const decision = (from: ConnectionState, to: ConnectionState) =>
  routeCode(['id'], {
    body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 2000 })) }, { additionalProperties: false }),
    bodyOptional: true,
    responses: { 200: EndpointView },
    async handle({ jar, params: { id }, body = {} }) {
      const { reason } = body;
      const changed = await jar.store.transact(async (tx) =>
        saveRule(tx, jar, 'update', {
          ...(await found(tx, id, from)),
          state: to,
          ...(reason !== undefined && { problem: reason }),
        }),
      );
      return ok(view(changed));
    },
  });

const PATH = '/_jar/platform/private-endpoints';

interface DecisionRow {
  readonly verb: string;
  readonly operation: string;
  readonly summary: string;
  readonly from: ConnectionState;
  readonly to: ConnectionState;
}

const DECISIONS: readonly DecisionRow[] = [
  {
    verb: 'approve',
    operation: 'Jar_ApprovePrivateEndpoint',
    summary: 'The owner of the resource approves a private endpoint',
    from: 'PENDING',
    to: 'ESTABLISHED',
  },
  {
    verb: 'reject',
    operation: 'Jar_RejectPrivateEndpoint',
    summary: 'The owner of the resource rejects a private endpoint',
    from: 'PENDING',
    to: 'REJECTED',
  },
  {
    verb: 'disconnect',
    operation: 'Jar_DisconnectPrivateEndpoint',
    summary: 'The owner of the resource removes the connection of a private endpoint',
    from: 'ESTABLISHED',
    to: 'DISCONNECTED',
  },
  {
    verb: 'fail',
    operation: 'Jar_FailPrivateEndpoint',
    summary: 'The creation of a private endpoint fails',
    from: 'CREATING',
    to: 'CREATE_FAILED',
  },
];

export const endpointControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: PATH,
      operation: 'Jar_ListPrivateEndpoints',
      summary: 'Private endpoints of the data platform, with their states',
    },
    listEndpoints,
  ),
  ...DECISIONS.map(({ verb, operation, summary, from, to }) =>
    routeOf({ method: 'POST', path: `${PATH}/{id}/${verb}`, operation, summary }, decision(from, to)),
  ),
];
