import { Type } from 'typebox';
import { type Operation, operations } from '../../../kernel/arm/index.ts';
import type { Route } from '../../../kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { route } from '../../../kernel/service/index.ts';

const Text = { type: 'Edm.String' } as const;

const shape = entityShape({
  name: 'operations',
  collection: operations,
  properties: {
    id: { type: 'Edm.String', field: 'key', ignoreCase: true },
    status: Text,
    subscriptionId: Text,
    namespace: Text,
    operationName: { ...Text, read: ({ requested }: Operation) => requested?.operationName },
    resource: { ...Text, read: ({ requested }: Operation) => requested?.resource },
    by: { ...Text, read: ({ requested }: Operation) => requested?.by },
    startedAt: { type: 'Edm.DateTimeOffset', read: ({ startTime }: Operation) => startTime },
    endedAt: { type: 'Edm.DateTimeOffset', read: ({ endTime }: Operation) => endTime },
  },
  scan: 'bounded',
});

const View = Type.Object({
  id: Type.String(),
  status: Type.Enum(['InProgress', 'Succeeded', 'Failed', 'Canceled']),
  step: Type.Optional(Type.String({ description: 'The state that the provider shows while the operation runs' })),
  percentComplete: Type.Number(),
  subscriptionId: Type.Optional(Type.String()),
  namespace: Type.String(),
  location: Type.String(),
  operationName: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String({ description: 'The path of the request that began it' })),
  by: Type.Optional(Type.String({ description: 'Name of the caller who began it' })),
  startedAt: Type.String(),
  endedAt: Type.Optional(Type.String()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: true })),
});

const iso = (at: number): string => new Date(at).toISOString();

export const operationList: Route = route({
  method: 'GET',
  path: '/_jar/resources/operations',
  operation: 'Jar_ListOperations',
  summary: 'Long-running operations of the management API: those in progress, and those that ended within a day',
  query: listQuery(shape),
  responses: { 200: listOf(View) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      view: ({ value: { id, status, step, percentComplete, startTime, endTime, requested, error, ...about } }) => ({
        id,
        status,
        ...(status === 'InProgress' && step !== undefined && { step }),
        percentComplete,
        ...(about.subscriptionId !== undefined && { subscriptionId: about.subscriptionId }),
        namespace: about.namespace,
        location: about.location,
        ...requested,
        startedAt: iso(startTime),
        ...(endTime !== undefined && { endedAt: iso(endTime) }),
        ...(error && { error }),
      }),
    }),
});
