import { Type } from 'typebox';
import type { Vault } from '../kernel/auth/index.ts';
import { decodeSkipToken, encodeSkipToken, nextLink, ok, type Route } from '../kernel/http/index.ts';
import { ODataError, PAGE_RULES, refusing } from '../kernel/odata/index.ts';
import { route } from '../kernel/service/index.ts';
import type { Compared, ComparedSnapshots, Place } from '../kernel/snapshots/index.ts';
import { isoTime } from '../kernel/time/index.ts';
import type { Controls } from './controls.ts';

const Count = Type.Integer({ minimum: 0 });

const Side = Type.Object({
  name: Type.Union([Type.String(), Type.Null()], { description: 'null: the present state' }),
  takenAt: Type.String(),
});

const Field = Type.Object({
  path: Type.String({ description: 'properties.tags.env, members[0].name' }),
  before: Type.Optional(Type.Unknown({ description: 'Missing if the member did not exist, or is secret' })),
  after: Type.Optional(Type.Unknown({ description: 'Missing if the member does not exist, or is secret' })),
  secret: Type.Optional(Type.Literal(true, { description: 'The values differ and are secret' })),
});

const Difference = Type.Object({
  collection: Type.String(),
  key: Type.String(),
  change: Type.Enum(['added', 'removed', 'changed']),
  fields: Type.Optional(Type.Array(Field, { description: 'The differing members of a changed item, 20 at most' })),
  moreFields: Type.Optional(Type.Boolean({ description: 'Whether more members differ than are listed' })),
});

const Comparison = Type.Object({
  from: Side,
  to: Side,
  collections: Type.Array(
    Type.Object({ collection: Type.String(), added: Count, removed: Count, changed: Count, same: Count }),
    { description: 'All collections that have items, also those without differences' },
  ),
  value: Type.Array(Difference),
  nextLink: Type.Optional(Type.String({ description: 'The address of the next page' })),
});

const { size, most } = PAGE_RULES;

export function compareRoute({ snapshots }: Pick<Controls, 'snapshots'>): Route {
  return route({
    method: 'GET',
    path: '/_jar/snapshots/compare',
    operation: 'Jar_CompareSnapshots',
    summary: 'What differs between two snapshots, or between a snapshot and the present state; without secrets',
    query: Type.Object(
      {
        from: Type.String({ description: 'The name of the first snapshot' }),
        to: Type.Optional(Type.String({ description: 'The name of the second snapshot; default: the present state' })),
        collection: Type.Optional(Type.String({ description: 'Compares only this collection' })),
        $top: Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Page size; default ${size}` })),
        $skiptoken: Type.Optional(
          Type.String({ description: 'Continues after the previous page; taken from its nextLink' }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 200: Comparison },
    handle: (call) =>
      refusing(
        async () => {
          const { from, to, collection, $top: limit = size, $skiptoken: token } = call.query;
          const { vault } = call.jar;
          const after = (of: ComparedSnapshots): Place | undefined =>
            token === undefined ? undefined : placeIn(token, listOf(of, collection), vault);
          const compared = await snapshots.compare({ from, to, collection, after, limit, signal: call.signal });
          const { next } = compared;
          // A key can be a secret.
          const at = next && vault.seal(JSON.stringify(next));
          const link = at && nextLink(call, encodeSkipToken(vault, listOf(compared, collection), { at }));
          return ok({ ...view(compared), ...(link !== undefined && { nextLink: link }) });
        },
        () => 'BadSkipToken',
      ),
  });
}

/** A token is valid only for the same content: a replaced snapshot has another id. */
const listOf = ({ from, to }: ComparedSnapshots, collection: string | undefined): string =>
  JSON.stringify(['compare', from.id, to?.id ?? null, collection ?? null]);

function placeIn(token: string, list: string, vault: Vault): Place {
  const found = decodeSkipToken<{ readonly at: string }>(vault, list, token);
  if (!found) {
    const message = "the '$skiptoken' is not from this server, or belongs to another comparison";
    throw new ODataError('InvalidToken', '$skiptoken', message);
  }
  return JSON.parse(vault.open(found.at));
}

function view({ from, to, toAt, collections, items }: Compared) {
  return {
    from: { name: from.name, takenAt: isoTime(from.takenAt) },
    to: { name: to?.name ?? null, takenAt: isoTime(toAt) },
    collections,
    value: items,
  };
}
