import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { CliError } from '../errors.ts';
import type { ColumnAnswer } from './find.ts';
import { plainValue } from './rows.ts';
import type { ExportedRow } from './write-rows.ts';

/** Size of a row group, which is built in memory: rows, or approximate characters. */
const GROUP_ROWS = 50_000;
const GROUP_CHARACTERS = 8 * 1024 * 1024;

type ParquetCell = string | number | bigint | boolean | null;

interface ParquetColumn {
  readonly element: SchemaElement;
  readonly cell: (value: unknown) => ParquetCell;
}

const DECIMAL_PLACES = 4;

/** Decimals have up to 19 digits, more than a 64-bit Parquet decimal can hold. */
const KINDS: Readonly<Record<string, { element: Omit<SchemaElement, 'name'>; cell: ParquetColumn['cell'] }>> = {
  Int64: { element: { type: 'INT64' }, cell: (value) => BigInt(plainValue(value)) },
  Double: { element: { type: 'DOUBLE' }, cell: (value) => Number(plainValue(value)) },
  Decimal: {
    element: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 9,
      converted_type: 'DECIMAL',
      logical_type: { type: 'DECIMAL', precision: 19, scale: DECIMAL_PLACES },
      precision: 19,
      scale: DECIMAL_PLACES,
    },
    cell: (value) => unitsOf(plainValue(value)),
  },
  Boolean: { element: { type: 'BOOLEAN' }, cell: (value) => value === true },
  DateTime: {
    element: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
    cell: (value) => BigInt(Date.parse(`${plainValue(value)}Z`)),
  },
  String: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    cell: plainValue,
  },
};

/** The bytes of a Parquet file, one row group at a time. */
export async function* parquetOf(
  chunks: AsyncIterable<readonly ExportedRow[]>,
  columns: readonly ColumnAnswer[],
): AsyncGenerator<Uint8Array> {
  const kinds = columns.map(kindOf);
  const bytes = new FlushedBytes();
  const schema = [{ name: 'root', num_children: kinds.length }, ...kinds.map(({ element }) => element)];
  const writer = new ParquetWriter({ writer: bytes, schema });
  let group: ParquetCell[][] = kinds.map(() => []);
  let characters = 0;
  const flush = async (): Promise<Uint8Array> => {
    const rowGroupSize = GROUP_ROWS;
    const columnData = kinds.map(({ element }, i) => ({ name: element.name, data: group[i] ?? [] }));
    await writer.write({ columnData, rowGroupSize });
    group = kinds.map(() => []);
    characters = 0;
    return bytes.take();
  };
  for await (const rows of chunks) {
    for (const row of rows) {
      for (const [i, { cell }] of kinds.entries()) {
        const value = row[i];
        group[i]?.push(value === null || value === undefined ? null : cell(value));
        characters += typeof value === 'string' ? value.length : 8;
      }
      if ((group[0]?.length ?? 0) >= GROUP_ROWS || characters >= GROUP_CHARACTERS) yield await flush();
    }
  }
  if ((group[0]?.length ?? 0) > 0) yield await flush();
  await writer.finish();
  yield bytes.take();
}

function kindOf({ name, dataType }: ColumnAnswer): ParquetColumn {
  const kind = KINDS[dataType];
  if (!kind) throw new CliError(`the column '${name}' has the type ${dataType}, which this version cannot write`);
  return { element: { ...kind.element, name, repetition_type: 'OPTIONAL' }, cell: kind.cell };
}

/** `-12.5` as ten-thousandths. */
function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, '0'));
  return text.startsWith('-') ? -units : units;
}

/** Hands out the written bytes, so that at most one row group is in memory. */
class FlushedBytes extends ByteWriter {
  take(): Uint8Array {
    const taken = this.getBytes().slice();
    this.index = 0;
    return taken;
  }
}
