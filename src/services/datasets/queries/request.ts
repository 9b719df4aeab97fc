import { type Static, Type } from 'typebox';
import { oneMistake } from '../model/mistakes.ts';

/** As the vendor describes it; other properties are ignored. */
export const ExecuteQueriesRequest = Type.Object({
  queries: Type.Array(Type.Object({ query: Type.String() })),
  serializerSettings: Type.Optional(
    Type.Union([Type.Object({ includeNulls: Type.Optional(Type.Boolean()) }), Type.Null()]),
  ),
  /** Of use where rows are kept from some users, which push datasets do not do. */
  impersonatedUserName: Type.Optional(Type.Union([Type.Null(), Type.String()])),
});

export interface Asked {
  readonly text: string;
  readonly includeNulls: boolean;
}

/** A request has one query. */
export function readRequest({ queries, serializerSettings }: Static<typeof ExecuteQueriesRequest>): Asked {
  const [first] = queries;
  if (!first) throw oneMistake('queries', "'queries' must have one query.");
  if (queries.length > 1) throw oneMistake('queries', `'queries' must have one query; it has ${queries.length}.`);
  return { text: first.query, includeNulls: serializerSettings?.includeNulls ?? false };
}
