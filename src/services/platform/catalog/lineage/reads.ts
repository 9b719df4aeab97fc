import { eq } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { pageSize, readPage, wholeNumber } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { metastoreIn } from '../core/metastore.ts';
import type { Securable } from '../core/securables.ts';
import { type LineageObject, type LineageRelation, lineageRelations, objectKey } from './collections.ts';
import { infoView, objectView, type Resolved, requireShown, resolveObject, ShownObjects } from './objects.ts';
import type { Related } from './relations.ts';
import { sentObject } from './sent-object.ts';

export type Direction = 'UPSTREAM' | 'DOWNSTREAM';

/** The end of a relation from which a search continues. */
const farEnd = (direction: Direction, { source, target }: LineageRelation): LineageObject =>
  direction === 'UPSTREAM' ? source : target;

const nearField = (direction: Direction): 'source' | 'target' => (direction === 'UPSTREAM' ? 'target' : 'source');

export const relationView = ({ relation, source, target }: Related): JsonMembers => ({
  id: relation.id,
  source: objectView(source),
  target: objectView(target),
  columns: relation.columns.map((each) => ({ ...each })),
  properties: relation.properties,
});

/** A page of the relations of an object in one direction, without those whose other end the caller may not see. */
export async function listRelations(call: PlatformCall): Promise<JsonMembers> {
  const metastore = await metastoreIn(call);
  const start = await resolveObject(call.jar.store, metastore, 'object_info', sentObject(call.query, 'object_info'));
  requireShown(call, start);
  const { lineage_direction: direction } = call.query;
  if (direction !== 'UPSTREAM' && direction !== 'DOWNSTREAM')
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "The parameter 'lineage_direction' must be UPSTREAM or DOWNSTREAM.",
    });
  const { items, next } = await readPage(call, {
    collection: lineageRelations,
    query: { filter: eq(nearField(direction), objectKey(metastore.id, start.object)), order: [{ field: 'key' }] },
    size: pageSize(call.query),
  });
  const objects = new ShownObjects(call, metastore);
  const shown: JsonMembers[] = [];
  for (const { value } of items) {
    const other = await objects.get(farEnd(direction, value));
    if (!other) continue;
    const ends = direction === 'UPSTREAM' ? { source: other, target: start } : { source: start, target: other };
    shown.push({
      external_lineage_info: relationView({ relation: value, ...ends }),
      ...infoView(other, value.updatedAt),
    });
  }
  return { external_lineage_relationships: shown, ...(next !== undefined && { next_page_token: next }) };
}

/** Maximum number of relations that a lineage read visits. */
const MOST_RELATIONS = 1000;
const DEEPEST = 10;

interface Step {
  readonly relation: LineageRelation;
  readonly other: Resolved;
}

/** The objects reachable from an object in a direction, nearest first and each once, so that cycles end. */
async function reached(
  call: PlatformCall,
  metastore: Securable,
  start: LineageObject,
  direction: Direction,
  follows: (relation: LineageRelation) => boolean = () => true,
): Promise<readonly Step[]> {
  const depth = Math.min(Math.max(wholeNumber(call.query, 'depth') ?? 1, 1), DEEPEST);
  const objects = new ShownObjects(call, metastore);
  const seen = new Set([objectKey(metastore.id, start)]);
  const found: Step[] = [];
  let left = MOST_RELATIONS;
  let level: readonly LineageObject[] = [start];
  for (let at = 0; at < depth && level.length > 0 && left > 0; at++) {
    const next: LineageObject[] = [];
    for (const from of level) {
      if (left <= 0) break;
      const filter = eq(nearField(direction), objectKey(metastore.id, from));
      const { items } = await call.jar.store.query(lineageRelations, { filter, limit: left });
      left -= items.length;
      for (const { value } of items) {
        const far = farEnd(direction, value);
        const key = objectKey(metastore.id, far);
        if (seen.has(key) || !follows(value)) continue;
        seen.add(key);
        const other = await objects.get(far);
        if (!other) continue;
        found.push({ relation: value, other });
        next.push(far);
      }
    }
    level = next;
  }
  return found;
}

async function startTable(call: PlatformCall): Promise<{ readonly metastore: Securable; readonly start: Resolved }> {
  const metastore = await metastoreIn(call);
  const start = await resolveObject(
    call.jar.store,
    metastore,
    'table_name',
    sentObject({ 'of.table.name': call.query.table_name ?? '' }, 'of'),
  );
  requireShown(call, start);
  return { metastore, start };
}

const timestamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** `tableInfo`, `fileInfo` and so on, the names that this read uses. */
function reachedView({ relation, other }: Step): JsonMembers {
  const [info] = Object.entries(infoView(other, relation.updatedAt));
  if (!info) return {};
  const [member, { event_time: _, ...rest }] = info as [string, JsonMembers & { readonly event_time?: string }];
  const name = member.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const type = other.object.type === 'table' ? { table_type: other.chain?.target.fields.table_type } : {};
  return { [name]: { ...rest, ...type, lineage_timestamp: timestamp(relation.updatedAt) } };
}

/** Upstream and downstream lineage of a table. */
export async function tableLineage(call: PlatformCall): Promise<JsonMembers> {
  const { metastore, start } = await startTable(call);
  const of = async (direction: Direction) => (await reached(call, metastore, start.object, direction)).map(reachedView);
  return { upstreams: await of('UPSTREAM'), downstreams: await of('DOWNSTREAM') };
}

/** The columns that a column of a table is derived from, and those derived from it. */
export async function columnLineage(call: PlatformCall): Promise<JsonMembers> {
  const { metastore, start } = await startTable(call);
  const { column_name: column } = call.query;
  if (typeof column !== 'string' || column === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'column_name' });
  const of = async (direction: Direction): Promise<readonly JsonMembers[]> => {
    const near = nearField(direction);
    const far = near === 'source' ? 'target' : 'source';
    const { items } = await call.jar.store.query(lineageRelations, {
      filter: eq(near, objectKey(metastore.id, start.object)),
      limit: MOST_RELATIONS,
    });
    const objects = new ShownObjects(call, metastore);
    const found: JsonMembers[] = [];
    for (const { value } of items) {
      const pairs = value.columns.filter((pair) => pair[near].toLowerCase() === column.toLowerCase());
      const other = pairs.length > 0 ? await objects.get(value[far]) : undefined;
      if (other) for (const pair of pairs) found.push(columnView(pair[far], other, value.updatedAt));
    }
    return found;
  };
  const [upstreams, downstreams] = [await of('UPSTREAM'), await of('DOWNSTREAM')];
  // Published clients read the second pair of names.
  return { upstreams, downstreams, upstream_cols: upstreams, downstream_cols: downstreams };
}

function columnView(name: string, { object, chain }: Resolved, at: number): JsonMembers {
  const lineage_timestamp = timestamp(at);
  if (object.type !== 'table') return { name, path: object.name, lineage_timestamp };
  const [catalog_name, schema_name, table_name] = object.name.split('.');
  return {
    name,
    catalog_name,
    schema_name,
    table_name,
    table_type: chain?.target.fields.table_type,
    lineage_timestamp,
  };
}
