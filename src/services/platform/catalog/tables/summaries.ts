import { decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import { allOf, eq, type Filter, type Page } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { likePattern } from '../../engine/like.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { visibilityFilter } from '../core/access.ts';
import { below, type Chain, fullNameOf } from '../core/chain.ts';
import { maxResults } from '../core/list.ts';
import { wireType } from '../core/privileges.ts';
import { listOf, type Securable, securables } from '../core/securables.ts';
import { refreshMirrors } from '../sharing/mirrors/refresh.ts';

/** Names of tables in a whole catalog, by patterns. */

const SIZES = { most: 10_000, usual: 10_000 } as const;
/** Maximum tables and schemas read by one request. A page that ends there has a token, even if few of them matched. */
const MOST_READ = 20_000;
const SLICE = 1000;
const MOST_PATTERN = 255;

/** Where a page ended: after this table of the schema, or after the whole schema. */
interface Place {
  readonly schema: string;
  readonly table?: string;
}

function matcherIn({ query }: PlatformCall, name: string): (text: string) => boolean {
  const pattern = query[name];
  if (typeof pattern !== 'string' || pattern === '') return () => true;
  if (pattern.length > MOST_PATTERN)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The parameter '${name}' must have at most ${MOST_PATTERN} characters.`,
    });
  return likePattern(pattern, { ignoreCase: true }).matches;
}

function startOf(call: PlatformCall, list: string): Place | undefined {
  const token = call.query.page_token;
  if (typeof token !== 'string' || token === '') return undefined;
  const place = decodeSkipToken<Place>(call.jar.vault, list, token);
  if (!place)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
  return place;
}

export async function listSummaries(call: PlatformCall, catalog: Chain): Promise<JsonMembers> {
  const { schema_name_pattern: schemas = '', table_name_pattern: tables = '' } = call.query;
  const list = JSON.stringify(['table-summaries', catalog.target.id, schemas, tables]);
  const size = maxResults(call, SIZES);
  const start = startOf(call, list);
  const fitsSchema = matcherIn(call, 'schema_name_pattern');
  const fitsTable = matcherIn(call, 'table_name_pattern');
  const found: JsonMembers[] = [];
  let read = 0;
  let place: Place | undefined = start;
  const page = (): JsonMembers => ({
    tables: found,
    ...(place && { next_page_token: encodeSkipToken(call.jar.vault, list, place) }),
  });
  for await (const schema of securablesIn(call, catalog, 'schema', start && behind(start))) {
    read++;
    const after: string | undefined = schema.target.name === start?.schema ? start.table : undefined;
    if (fitsSchema(schema.target.name))
      for await (const { target } of securablesIn(call, schema, 'table', { name: after, included: false })) {
        if (found.length === size || read >= MOST_READ) return page();
        read++;
        place = { schema: schema.target.name, table: target.name };
        if (fitsTable(target.name)) found.push(summaryOf(below(schema, target)));
      }
    place = { schema: schema.target.name };
    if (read >= MOST_READ) return page();
  }
  place = undefined;
  return page();
}

/** If the page ended within a schema, that schema is read again. */
const behind = ({ schema, table }: Place): After => ({ name: schema, included: table !== undefined });

const summaryOf = (chain: Chain): JsonMembers => ({
  full_name: fullNameOf(chain),
  table_type: chain.target.fields.table_type ?? 'MANAGED',
  securable_type: wireType('table'),
});

interface After {
  readonly name: string | undefined;
  readonly included: boolean;
}

/** The securables in a parent that the caller may see, by name, starting at a name. */
async function* securablesIn(
  call: PlatformCall,
  above: Chain,
  type: Securable['kind'],
  after: After | undefined,
): AsyncGenerator<Chain> {
  const visible = visibilityFilter(call, above, type);
  if (visible === 'nothing') return;
  await refreshMirrors(call.jar.store, [above.target, ...above.above], type);
  let from: Filter | undefined =
    after?.name === undefined ? undefined : { op: after.included ? 'ge' : 'gt', field: 'name', value: after.name };
  for (;;) {
    const { items, next }: Page<Securable> = await call.jar.store.query(securables, {
      filter: allOf(eq('list', listOf(above.target.id, type)), visible, from),
      order: [{ field: 'name' }],
      limit: SLICE,
    });
    for (const { value } of items) yield below(above, value);
    const last: string | undefined = items.at(-1)?.value.name;
    if (!next || last === undefined) return;
    from = { op: 'gt', field: 'name', value: last };
  }
}
