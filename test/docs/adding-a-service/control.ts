import { Type } from 'typebox';
import { type Route, routeOf } from '../../../src/kernel/http/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../../../src/kernel/odata/index.ts';
import { isoTime } from '../../../src/kernel/time/index.ts';
import { type Ring, rings } from './collections.ts';
import { routeCode } from './jar.ts';

const shape = entityShape<Ring>({
  name: 'rings',
  collection: rings,
  properties: {
    id: { type: 'Edm.String', field: 'key' },
    bell: { type: 'Edm.String', field: 'bell' },
    sound: { type: 'Edm.String' },
    at: { type: 'Edm.DateTimeOffset', field: 'at' },
    outcome: { type: 'Edm.String', field: 'outcome' },
  },
  scan: 'bounded',
});

const RingView = Type.Object({
  id: Type.String(),
  bell: Type.String(),
  sound: Type.String(),
  at: Type.String(),
  outcome: Type.Optional(Type.String()),
});

const listRings = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(RingView, { heardHere: Type.Integer() }) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      view: ({ key, value }) => ({ ...value, id: key, at: isoTime(value.at) }),
      more: { heardHere: call.jar.heard.count },
    }),
});

export const bellControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/bells/rings',
      operation: 'Jar_ListRings',
      summary: 'The rings of all bells, and how many of them this node has heard',
    },
    listRings,
  ),
];
