import { isObject, jsonMistake, parseJson } from '../../../../kernel/values/index.ts';
import { isStream } from '../../blobs/body.ts';
import { type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import type { QueryTag, Statement, StatementParameter } from './collections.ts';

const MOST_TEXT_BYTES = 16 * 1024 * 1024;
const MOST_BODY_BYTES = 2 * MOST_TEXT_BYTES;
export const MOST_INLINE_BYTES = 25 * 1024 * 1024;
const MOST_ROWS = 2_147_483_647;
const USUAL_WAIT = '10s';
/** Further tags are ignored. */
const MOST_TAGS = 20;
const LONGEST_TAG = 128;

const FIELDS: FieldRules = {
  statement: { type: 'string' },
  warehouse_id: { type: 'string' },
  catalog: { type: 'string', most: 255 },
  schema: { type: 'string', most: 255 },
  parameters: {
    type: 'array',
    most: 1000,
    items: { type: 'object', members: { name: { type: 'string' }, value: { type: 'any' }, type: { type: 'string' } } },
  },
  row_limit: { type: 'integer' },
  byte_limit: { type: 'integer' },
  disposition: { type: 'string' },
  format: { type: 'string' },
  wait_timeout: { type: 'string' },
  on_wait_timeout: { type: 'string' },
  query_tags: {
    type: 'array',
    items: { type: 'object', members: { key: { type: 'string' }, value: { type: 'string' } } },
  },
};

const missing = (field: string) => errors.BAD_REQUEST({ reason: `Missing required field: ${field}` });
const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export type StatementRequest = Pick<
  Statement,
  | 'text'
  | 'warehouseId'
  | 'parameters'
  | 'catalog'
  | 'schema'
  | 'disposition'
  | 'format'
  | 'rowLimit'
  | 'byteLimit'
  | 'tags'
> & { readonly waitMs: number; readonly cancels: boolean };

/** Parses the body whatever its content type. */
async function bodyOf({ body }: PlatformCall): Promise<unknown> {
  if (!isStream(body)) return {};
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MOST_BODY_BYTES) throw errors.MALFORMED_REQUEST({ reason: 'The request body is too large.' });
    parts.push(part);
  }
  try {
    return size === 0 ? {} : parseJson(Buffer.concat(parts, size), { bytes: MOST_BODY_BYTES });
  } catch (cause) {
    throw errors.MALFORMED_REQUEST({ reason: jsonMistake(cause) }, { cause });
  }
}

/** Parses the request for a statement. As in the real service, unknown enumeration values count as missing. */
export async function readStatement(call: PlatformCall): Promise<StatementRequest> {
  const said = readFields(FIELDS, await bodyOf(call));
  const { statement: text, warehouse_id: warehouseId, row_limit: rowLimit, byte_limit: byteLimit } = said;
  if (typeof warehouseId !== 'string' || warehouseId === '') throw missing('warehouse_id');
  // An empty statement is accepted here: it fails as SQL.
  if (typeof text !== 'string') throw missing('statement');
  if (Buffer.byteLength(text) > MOST_TEXT_BYTES)
    throw invalid(`The statement must have at most ${MOST_TEXT_BYTES} bytes.`);
  if (!/^[0-9a-f]{16}$/.test(warehouseId)) throw invalid(`${warehouseId.slice(0, 200)} is not a valid endpoint id.`);
  if (typeof rowLimit === 'number' && (rowLimit < 0 || rowLimit > MOST_ROWS))
    throw invalid(`The row_limit must be from 0 to ${MOST_ROWS}.`);
  if (typeof byteLimit === 'number' && (byteLimit < 1 || byteLimit > MOST_INLINE_BYTES))
    throw invalid(`The byte_limit must be from 1 to ${MOST_INLINE_BYTES}.`);
  const disposition = said.disposition === 'EXTERNAL_LINKS' ? 'EXTERNAL_LINKS' : 'INLINE';
  if (disposition === 'INLINE' && (said.format === 'ARROW_STREAM' || said.format === 'CSV'))
    throw invalid('Incompatible parameters: The format field must be JSON_ARRAY when the disposition field is INLINE.');
  if (said.format === 'ARROW_STREAM') throw invalid('The format ARROW_STREAM is not implemented by this jar.');
  const waitMs = waitOf(typeof said.wait_timeout === 'string' ? said.wait_timeout : USUAL_WAIT);
  return {
    text,
    warehouseId,
    parameters: parametersOf(said.parameters),
    // Empty: the default catalog of the workspace, determined when the statement runs.
    catalog: typeof said.catalog === 'string' ? said.catalog : '',
    schema: typeof said.schema === 'string' && said.schema !== '' ? said.schema : 'default',
    disposition,
    format: said.format === 'CSV' ? 'CSV' : 'JSON_ARRAY',
    ...(typeof rowLimit === 'number' && { rowLimit }),
    ...(typeof byteLimit === 'number' && { byteLimit }),
    ...tagsOf(said.query_tags),
    waitMs,
    // Without a wait time, no time-out can occur.
    cancels: waitMs > 0 && said.on_wait_timeout === 'CANCEL',
  };
}

function waitOf(text: string): number {
  const seconds = /^(\d{1,6})s$/.exec(text)?.[1];
  const wait = Number(seconds ?? Number.NaN);
  if (wait === 0 || (wait >= 5 && wait <= 50)) return wait * 1000;
  throw invalid('The wait_timeout field must be 0 seconds (disables wait), or between 5 seconds and 50 seconds.');
}

function parametersOf(sent: unknown): readonly StatementParameter[] {
  const list: readonly unknown[] = Array.isArray(sent) ? sent : [];
  return list.filter(isObject).map(({ name, value, type }) => ({
    ...(typeof name === 'string' && name !== '' && { name }),
    value: value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value),
    type: typeof type === 'string' && type !== '' ? type : 'STRING',
  }));
}

function tagsOf(sent: unknown): { readonly tags?: readonly QueryTag[] } {
  const list: readonly unknown[] = Array.isArray(sent) ? sent : [];
  const tags = list.filter(isObject).slice(0, MOST_TAGS).map(tagOf);
  return tags.length === 0 ? {} : { tags };
}

function tagOf({ key, value }: Readonly<Record<string, unknown>>): QueryTag {
  if (typeof key !== 'string' || key === '') throw invalid('Missing required field: query_tags.key');
  if (key.length > LONGEST_TAG || (typeof value === 'string' && value.length > LONGEST_TAG))
    throw invalid(`A key and a value of query_tags have at most ${LONGEST_TAG} characters.`);
  return { key, ...(typeof value === 'string' && { value }) };
}
