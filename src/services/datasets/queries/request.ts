import { type Static, Type } from 'typebox';
import { oneMistake } from '../model/mistakes.ts';

/** The vendor's request model; other properties are ignored. */
export const ExecuteQueriesRequest = Type.Object({
  queries: Type.Array(Type.Object({ query: Type.String() })),
  serializerSettings: Type.Optional(
    Type.Union([Type.Object({ includeNulls: Type.Optional(Type.Boolean()) }), Type.Null()]),
  ),
  /** Accepted without effect: it matters only for row-level security, which push datasets do not have. */
  impersonatedUserName: Type.Optional(Type.Union([Type.Null(), Type.String()])),
});

export interface Asked {
  readonly text: string;
  readonly includeNulls: boolean;
}

/** A request contains exactly one query. */
export function readRequest({ queries, serializerSettings }: Static<typeof ExecuteQueriesRequest>): Asked {
  const [first] = queries;
  if (!first) throw oneMistake('queries', "'queries' must have one query.");
  if (queries.length > 1) throw oneMistake('queries', `'queries' must have one query; it has ${queries.length}.`);
  return { text: first.query, includeNulls: serializerSettings?.includeNulls ?? false };
}
