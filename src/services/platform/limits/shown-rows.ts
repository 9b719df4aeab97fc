import { limitNameOf, RATE_BUCKETS, type RateBucket } from './declared.ts';
import { OWN_ROWS } from './own-rows.ts';
import { RESOURCE_ROWS, type ResourceRow } from './resource-rows.ts';

/** A row of one of the two tables, or a limit outside of them, as shown: a row of the rate table once for each of its buckets. */
export interface ShownRow {
  readonly table: 'resources' | 'rates' | 'further';
  /** The name of the limit in the control API. */
  readonly name: string;
  readonly resource: string;
  readonly metric: string;
  /** Undefined: no number is published. */
  readonly limit: number | undefined;
  readonly unit: string;
  readonly scope: string;
  readonly fixed: boolean;
  readonly region: string;
  readonly measure: ResourceRow['measure'] | 'rate';
}

const ofResource = (table: ShownRow['table'], row: ResourceRow): ShownRow => {
  const { resource, metric, limit, unit, scope, fixed, region, measure } = row;
  return {
    table,
    name: limitNameOf(row),
    resource,
    metric,
    limit,
    unit,
    scope,
    fixed,
    region,
    measure,
  };
};

export const rateMetric = (methods: readonly string[] | undefined, paths: readonly string[]): string =>
  [...(methods ? [methods.join(', ')] : []), paths.join(' and ')].join(' ');

const ofBucket = ({ row, paths, limit }: RateBucket): ShownRow => ({
  table: 'rates',
  name: limit.name,
  resource: row.api,
  metric: rateMetric(row.methods, paths),
  limit: row.limit,
  unit: `requests per ${row.per}`,
  scope: row.scope,
  fixed: row.fixed,
  region: 'All',
  measure: 'rate',
});

export const SHOWN_ROWS: readonly ShownRow[] = [
  ...RESOURCE_ROWS.map((row) => ofResource('resources', row)),
  ...RATE_BUCKETS.map(ofBucket),
  ...OWN_ROWS.map((row) => ofResource('further', row)),
];
