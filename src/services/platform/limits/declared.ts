import {
  type BoundLimit,
  type BucketLimit,
  bucketOf,
  type Limit,
  type QuotaLimit,
} from '../../../kernel/limits/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { OWN_ROWS, type OwnRowId } from './own-rows.ts';
import { RATE_ROWS, type RateRow, type RateScope } from './rate-rows.ts';
import { RESOURCE_ROWS, type ResourceRow, type RowId as TableRowId } from './resource-rows.ts';
import { SERVING_RATES } from './serving-rates.ts';
import { WAKES } from './wakes.ts';
import { WRONG_CREDENTIAL_LIMITS } from './wrong-credentials.ts';

/** A row of the table in the spec, or of `OWN_ROWS`. */
export type RowId = TableRowId | OwnRowId;

/** The rows of both tables as limits of the kernel: used for counting, for refusals and for `GET /_jar/limits`. */

/** Used if no number is published: nothing is refused until a number is set. */
const NO_NUMBER = Number.MAX_SAFE_INTEGER;

/** Counted in one document, since one request takes from both. */
const KEPT_WITH: Readonly<Partial<Record<TableRowId, TableRowId>>> = { 'jobs-created': 'saved-jobs' };

function declared(row: ResourceRow): Limit {
  const { id, resource, metric, limit = NO_NUMBER, unit, parts, fixed, measure } = row;
  const head = { name: `platform.${id}`, title: `${resource}: ${metric}`, scope: parts, unit, fixed };
  const mode = row.limit === undefined || measure === 'measured' ? ({ mode: 'unlimited' } as const) : {};
  if (measure === 'bound') return { kind: 'bound', ...head, limit };
  if (measure === 'measured') return { kind: 'bucket', ...head, ...bucketOf(limit, 1), ...mode };
  if (measure === 'hourly') {
    const other = KEPT_WITH[id as TableRowId];
    return { kind: 'quota', ...head, limit, windowMs: HOUR_MS, ...(other && { keptWith: `platform.${other}` }) };
  }
  const wakes = WAKES[id as TableRowId];
  return { kind: 'quota', ...head, limit, ...mode, ...(wakes !== undefined && { wakes }) };
}

/** The management gateway's limits for the rows that it counts. */
const MANAGEMENT_LIMITS: Readonly<Partial<Record<string, string>>> = {
  'resource-groups': 'management.resource-groups',
  'group-resources': 'management.resources-of-type',
  'storage-accounts': 'management.storage-accounts',
  'virtual-machines': 'management.virtual-machines',
};

/** The name of a row's limit. */
export const limitNameOf = ({ id }: Pick<ResourceRow, 'id'>): string => MANAGEMENT_LIMITS[id] ?? `platform.${id}`;

/** Without the rows that the management gateway counts with its own limits. */
const own = [...RESOURCE_ROWS, ...OWN_ROWS].filter(({ measure }) => measure !== 'management');

const RESOURCE_LIMITS = new Map(own.map((row) => [row.id as RowId, declared(row)]));

const ROWS_BY_ID = new Map<RowId, ResourceRow>([...RESOURCE_ROWS, ...OWN_ROWS].map((row) => [row.id, row]));

export function rowOf(id: RowId): ResourceRow {
  const row = ROWS_BY_ID.get(id);
  if (!row) throw new Error(`the table of resource limits has no row '${id}'`);
  return row;
}

function limitOf(id: RowId, kind: Limit['kind']): Limit {
  const limit = RESOURCE_LIMITS.get(id);
  if (limit?.kind !== kind) throw new Error(`the row '${id}' of the table of resource limits is not a ${kind}`);
  return limit;
}

/** The counts with a workspace as scope. */
export const QUOTAS_OF_WORKSPACES: readonly QuotaLimit[] = [...RESOURCE_LIMITS.values()].filter(
  (limit) => limit.kind === 'quota' && limit.scope[0] === 'workspace',
) as readonly QuotaLimit[];

export const quotaOf = (id: RowId): QuotaLimit => limitOf(id, 'quota') as QuotaLimit;
export const boundOf = (id: RowId): BoundLimit => limitOf(id, 'bound') as BoundLimit;
export const measuredOf = (id: RowId): BucketLimit => limitOf(id, 'bucket') as BucketLimit;

const SCOPE_PARTS: Readonly<Record<RateScope, string>> = {
  Workspace: 'workspace',
  Account: 'account',
  'IP address': 'address',
};

const PER_SECONDS = { second: 1, minute: 60 } as const;

/** A bucket: one per path of a row, unless the row's paths share one. */
export interface RateBucket {
  readonly row: RateRow;
  readonly paths: readonly string[];
  readonly limit: BucketLimit;
}

/** For example `ml-logged-models-model-id-tags` for `/ml/logged-models/{model_id}/tags`. */
const wordsOf = (path: string): string =>
  path
    .replace(/[{}*]/g, '')
    .split(/[/_]/)
    .filter((word) => word !== '')
    .join('-');

function bucketsOf(row: RateRow): RateBucket[] {
  const { api, limit, per, scope, fixed, methods, paths, shared } = row;
  const groups = shared ? [paths] : paths.map((path) => [path]);
  return groups.map((group) => {
    const ends = [wordsOf(group[0] as string)];
    if (methods) ends.push(methods.join('-').toLowerCase());
    if (row.suffix) ends.push(row.suffix);
    const what = [...(methods ? [methods.join(', ')] : []), group.join(' and ')].join(' ');
    return {
      row,
      paths: group,
      limit: {
        kind: 'bucket',
        name: `platform.rate.${ends.join('-')}`,
        title: `${api}: ${what} per ${per}`,
        scope: [SCOPE_PARTS[scope]],
        fixed,
        ...bucketOf(limit, PER_SECONDS[per]),
      },
    };
  });
}

export const RATE_BUCKETS: readonly RateBucket[] = RATE_ROWS.flatMap(bucketsOf);

const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('/*') ? path === pattern.slice(0, -2) || path.startsWith(pattern.slice(0, -1)) : pattern === path;

/** The buckets that a call with this method and path in the rate table takes from. Computed once for each route. */
export const ratesOf = (method: string, path: string): readonly BucketLimit[] =>
  RATE_BUCKETS.filter(
    ({ row: { methods }, paths }) =>
      (methods === undefined || methods.includes(method)) && paths.some((pattern) => covers(pattern, path)),
  ).map(({ limit }) => limit);

export const PLATFORM_LIMITS: readonly Limit[] = [
  ...RESOURCE_LIMITS.values(),
  ...RATE_BUCKETS.map(({ limit }) => limit),
  ...WRONG_CREDENTIAL_LIMITS,
  ...SERVING_RATES,
];
