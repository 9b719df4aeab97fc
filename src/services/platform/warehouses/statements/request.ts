import { isObject, jsonMistake, parseJson } from '../../../../kernel/values/index.ts';
import { isStream } from '../../blobs/body.ts';
import { type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import type { Statement, StatementParameter } from './collections.ts';

const MOST_TEXT_BYTES = 16 * 1024 * 1024;
const MOST_BODY_BYTES = 2 * MOST_TEXT_BYTES;
export const MOST_INLINE_BYTES = 25 * 1024 * 1024;
const MOST_ROWS = 2_147_483_647;
const USUAL_WAIT = '10s';

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
};

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export type StatementRequest = Pick<
  Statement,
  'text' | 'warehouseId' | 'parameters' | 'catalog' | 'schema' | 'disposition' | 'format' | 'rowLimit' | 'byteLimit'
> & { readonly waitMs: number; readonly cancels: boolean };

/** The body, whatever its content type says. */
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

/** Reads the request for a statement. Words that are not known count as not said, as live. */
export async function readStatement(call: PlatformCall): Promise<StatementRequest> {
  const said = readFields(FIELDS, await bodyOf(call));
  const { statement: text, warehouse_id: warehouseId, row_limit: rowLimit, byte_limit: byteLimit } = said;
  for (const [name, value] of Object.entries({ warehouse_id: warehouseId, statement: text }))
    if (typeof value !== 'string' || value === '')
      throw errors.BAD_REQUEST({ reason: `Missing required field: ${name}` });
  if (Buffer.byteLength(String(text)) > MOST_TEXT_BYTES)
    throw invalid(`The statement must have at most ${MOST_TEXT_BYTES} bytes.`);
  if (!/^[0-9a-f]{16}$/.test(String(warehouseId)))
    throw invalid(`${String(warehouseId).slice(0, 200)} is not a valid endpoint id.`);
  if (typeof rowLimit === 'number' && (rowLimit < 0 || rowLimit > MOST_ROWS))
    throw invalid(`The row_limit must be from 0 to ${MOST_ROWS}.`);
  if (typeof byteLimit === 'number' && (byteLimit < 1 || byteLimit > MOST_INLINE_BYTES))
    throw invalid(`The byte_limit must be from 1 to ${MOST_INLINE_BYTES}.`);
  const disposition = said.disposition === 'EXTERNAL_LINKS' ? 'EXTERNAL_LINKS' : 'INLINE';
  if (disposition === 'INLINE' && (said.format === 'ARROW_STREAM' || said.format === 'CSV'))
    throw invalid('Incompatible parameters: The format field must be JSON_ARRAY when the disposition field is INLINE.');
  if (said.format === 'ARROW_STREAM') throw invalid('The format ARROW_STREAM is not implemented by this jar.');
  return {
    text: String(text),
    warehouseId: String(warehouseId),
    parameters: parametersOf(said.parameters),
    catalog: typeof said.catalog === 'string' && said.catalog !== '' ? said.catalog : 'main',
    schema: typeof said.schema === 'string' && said.schema !== '' ? said.schema : 'default',
    disposition,
    format: said.format === 'CSV' ? 'CSV' : 'JSON_ARRAY',
    ...(typeof rowLimit === 'number' && { rowLimit }),
    ...(typeof byteLimit === 'number' && { byteLimit }),
    waitMs: waitOf(typeof said.wait_timeout === 'string' ? said.wait_timeout : USUAL_WAIT),
    cancels: said.on_wait_timeout === 'CANCEL',
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
