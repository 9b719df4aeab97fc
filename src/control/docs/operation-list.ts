import { Type } from 'typebox';
import type { Route } from '../../kernel/http/index.ts';
import { type Item, listAnswer, listOf, listQuery, listShape, walkOf } from '../../kernel/odata/index.ts';
import { route } from '../../kernel/service/index.ts';
import type { Catalog } from './catalog.ts';
import { operationRows } from './operations.ts';

const View = Type.Object({
  id: Type.String({ description: 'The operationId, for GET /_jar/openapi.json?operation=ID' }),
  service: Type.String(),
  method: Type.String(),
  path: Type.String(),
  summary: Type.String(),
  group: Type.String({ description: 'What the operation is about: the heading on its page' }),
  credentials: Type.Array(Type.String(), {
    description: 'Names of the accepted security schemes, one of which is enough; empty if no credential is needed',
  }),
  described: Type.Boolean({
    description: 'Whether the OpenAPI document has it: operations behind a route that accepts any path are only named',
  }),
});

const Text = { type: 'Edm.String' } as const;

const shape = listShape<object>('operations', {
  id: Text,
  service: Text,
  method: Text,
  path: Text,
  summary: Text,
  group: Text,
  described: { type: 'Edm.Boolean' },
});

/** All operations of the jar, to search in: a hundredth of the OpenAPI document. */
export function operationListRoute(catalog: () => Promise<Catalog>): Route {
  /** The rows of a catalogue, which is made once. */
  let rows: Promise<readonly Item<object>[]> | undefined;
  return route({
    method: 'GET',
    path: '/_jar/docs/operations',
    operation: 'Jar_ListApiOperations',
    summary: 'The operations of all APIs, by service: names, paths and summaries',
    query: listQuery(shape),
    responses: { 200: listOf(View) },
    async handle(call) {
      rows ??= catalog().then(itemsOf);
      rows.catch(() => {
        rows = undefined;
      });
      return listAnswer(call, { shape, walk: walkOf(await rows), view: ({ value }) => value });
    },
  });
}

const DIGITS = 6;

function itemsOf({ apis }: Catalog): readonly Item<object>[] {
  return apis
    .flatMap((api) =>
      operationRows(api).map(({ id, method, path, summary, group, credentials, isCovered }) => ({
        id,
        service: api.name,
        method,
        path,
        summary,
        group,
        credentials,
        described: !isCovered,
      })),
    )
    .map((value, index) => ({ key: String(index).padStart(DIGITS, '0'), value }));
}
