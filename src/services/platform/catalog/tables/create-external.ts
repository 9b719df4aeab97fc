import { jsonMistake, parseJson } from '../../../../kernel/values/index.ts';
import { Sent } from '../../engine/sent.ts';
import { errors, malformedJson } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { requirePrivilege } from '../core/access.ts';
import { type Chain, findChain } from '../core/chain.ts';
import { metastoreIn, metastoreNow } from '../core/metastore.ts';
import type { Securable } from '../core/securables.ts';
import { checkAddress, requireLocation, trimSlashes } from '../core/storage.ts';
import { isVolumePath } from '../volumes/places.ts';
import { type Column, readColumns } from './columns.ts';
import { createTable, type TableDraft } from './create.ts';
import { findFiles } from './data/volume-files.ts';
import { TABLE_FORMATS, TABLE_TYPES } from './kind.ts';

/** `POST /tables`: the API creates only external tables in Delta format; all others are created by SQL. */

/** A table may have 32,768 columns with a dozen members each, more than the body limits of other operations allow. */
const LARGE_BODY = { bytes: 32 * 1024 * 1024, names: 400_000, values: 500_000 } as const;

function bodyOf({ body }: PlatformCall): Readonly<Record<string, unknown>> {
  if (!Buffer.isBuffer(body)) return {};
  let value: unknown;
  try {
    value = parseJson(body, LARGE_BODY);
  } catch (cause) {
    throw errors.MALFORMED_REQUEST({ reason: malformedJson(jsonMistake(cause)) }, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw errors.MALFORMED_REQUEST({ reason: 'Could not parse request object: the body must be an object.' });
  return { ...value };
}

export async function createExternal(call: PlatformCall): Promise<Chain> {
  const body = bodyOf(call);
  const sent = new Sent(body);
  const schemaName = `${sent.need('catalog_name')}.${sent.need('schema_name')}`;
  const metastore = await metastoreIn(call);
  requirePrivilege(call, await findChain(call.jar.store, metastore, 'schema', schemaName), 'CREATE_TABLE');
  const draft = await readDraft(call, metastore, sent, readColumns(body.columns));
  return call.jar.store.transact(async (tx) => {
    const now = await metastoreNow(tx, metastore);
    const schema = await findChain(tx, now, 'schema', schemaName, { lock: 'share' });
    if (draft.location !== undefined && !isVolumePath(draft.location))
      await requireLocation(tx, call, now, draft.location, 'CREATE_EXTERNAL_TABLE');
    return createTable(tx, call, schema, draft);
  });
}

async function readDraft(
  call: PlatformCall,
  metastore: Securable,
  sent: Sent,
  columns: readonly Column[],
): Promise<TableDraft> {
  const name = sent.need('name');
  const type = needWord(sent, 'table_type', TABLE_TYPES);
  const format = needWord(sent, 'data_source_format', TABLE_FORMATS);
  const location = sent.need('storage_location');
  const isInVolume = isVolumePath(location);
  if (type !== 'EXTERNAL' || (format !== 'DELTA' && !(format === 'PARQUET' && isInVolume)))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `CreateTable supports only external tables in the format DELTA (in a directory of a volume also PARQUET), not ${type} in ${format}. Use SQL for other tables.`,
    });
  const properties = sent.member('properties');
  const draft: TableDraft = {
    name,
    type,
    format,
    location: isInVolume ? trimSlashes(location) : checkAddress('storage_location', location),
    columns,
    ...(properties && { properties: properties.all() }),
  };
  if (!isInVolume) return draft;
  const found = await findFiles(call, metastore, location);
  return { ...draft, columns: columns.length > 0 ? columns : found.columns, files: found.files };
}

function needWord<const Word extends string>(sent: Sent, name: string, words: readonly Word[]): Word {
  sent.need(name);
  return sent.word(name, words) as Word;
}
