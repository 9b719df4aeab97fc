import { Type } from 'typebox';
import { errorTable, ok, type Route, routeOf } from '../../../kernel/http/index.ts';
import { type PlatformJar, routeCode } from '../jar.ts';
import { LISTING_STATUSES, listings } from './collections.ts';
import { record } from './listings.ts';

/** The operator's side of the marketplace: reviews listings before publication. */

export const controlErrors = errorTable({ ListingNotFound: [404, "There is no listing '{id}' in the marketplace."] });

const Status = Type.Union(LISTING_STATUSES.map((each) => Type.Literal(each)));

const decide = routeCode(['listing'], {
  body: Type.Object({ status: Status }),
  responses: { 200: Type.Object({ id: Type.String(), status: Status }) },
  async handle({ jar, params, body }) {
    const platform = jar as PlatformJar;
    const listing = await platform.store.transact(async (tx) => {
      const before = (await tx.get(listings, params.listing))?.value;
      if (!before) throw controlErrors.ListingNotFound({ id: params.listing });
      const isNew = body.status === 'PUBLISHED' && before.status !== 'PUBLISHED';
      const published = isNew ? { publishedAt: jar.clock.now(), publishedBy: before.createdBy } : {};
      const after = { ...before, status: body.status, ...published };
      await tx.put(listings, params.listing, after);
      await record(tx, { jar: platform }, 'review', after);
      return after;
    });
    return ok({ id: listing.id, status: listing.status });
  },
});

export const marketControl: readonly Route[] = [
  routeOf(
    {
      method: 'PATCH',
      path: '/_jar/platform/listings/{listing}',
      operation: 'Jar_platformListings_decide',
      summary: 'Publish or suspend a listing of the marketplace, as its operator does',
    },
    decide,
  ),
];
