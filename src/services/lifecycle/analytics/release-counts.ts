import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { routeCode } from '../jar.ts';

const MOST_RELEASES = 1000;

const Counts = Type.Object({
  total: Type.Integer(),
  counts: Type.Array(
    Type.Object({
      release_id: Type.String(),
      distribution_group: Type.Optional(Type.String()),
      unique_count: Type.Integer(),
      total_count: Type.Integer(),
    }),
  ),
});

/** A jar distributes no releases, so all download counts are zero. */
export const distributionReleaseCounts = routeCode([], {
  body: Type.Object({
    releases: Type.Array(Type.Object({ release: Type.String(), distribution_group: Type.Optional(Type.String()) }), {
      maxItems: MOST_RELEASES,
    }),
  }),
  responses: { 200: Counts },
  handle: ({ body }) =>
    ok({
      total: 0,
      counts: body.releases.map(({ release, distribution_group }) => ({
        release_id: release,
        ...(distribution_group !== undefined && { distribution_group }),
        unique_count: 0,
        total_count: 0,
      })),
    }),
});
