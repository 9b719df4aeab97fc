import type { Cell } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { DATA_TYPES } from '../model/data-types.ts';
import { oneMistake } from '../model/mistakes.ts';
import type { Column, Table } from '../model/types.ts';
import { CONVERT, type Convert, convertLong, mayBeRounded, mistakeOf } from './cells.ts';

export type Row = readonly Cell[];

/**
 * Converts rows from the request to rows of a typed table; throws 400 at the first invalid row. Returns undefined if a number may have been
 * rounded by the JSON parser: the rows must then be parsed again with all digits (`isExact`). `before` is the number of rows of the request
 * before these.
 */
export type Converter = (rows: readonly unknown[], isExact: boolean, before?: number) => Row[] | undefined;

/** Converts rows as parsed, and again from an exact parse if a number may have been rounded. */
export function convertExactly(
  convert: Converter,
  rows: readonly unknown[],
  exact: () => readonly unknown[],
  before?: number,
): Row[] {
  const converted = convert(rows, false, before) ?? convert(exact(), true, before);
  if (!converted) throw new Error('exact numbers are not rounded');
  return converted;
}

type Described = Pick<Column, 'name' | 'type'>;

/** Compiled converters, keyed by schema tag: one lookup per request instead of one per value. */
const MOST_CONVERTERS = 1000;

export class Converters {
  readonly #bySchema = new Map<string, Converter>();

  of({ schema, columns }: Pick<Table, 'schema' | 'columns'>): Converter {
    const known = this.#bySchema.get(schema);
    if (known) return known;
    const converter = compile(columns);
    if (this.#bySchema.size >= MOST_CONVERTERS) this.#bySchema.clear();
    this.#bySchema.set(schema, converter);
    return converter;
  }

  /** Only frees memory: schema tags are never reused. */
  forget(): void {
    this.#bySchema.clear();
  }
}

/** Compiles a converter for tables with these columns. `at` is the path of the rows in the request, for errors. */
export function compile(columns: readonly Described[], at = 'rows'): Converter {
  const width = columns.length;
  const places = new Map(columns.map(({ name }, i) => [name, i]));
  const converts: readonly Convert[] = columns.map(({ type }) => CONVERT[type]);
  return (rows, isExact, before = 0) => {
    const converted = new Array<Row>(rows.length);
    // Most rows have the same names in the same order, so each name is compared with the previous row's instead of looked up.
    let names: string[] = [];
    let order: number[] = [];
    for (let number = 0; number < rows.length; number++) {
      const row = rows[number];
      if (!isObject(row)) throw noObject(before + number, at);
      const cells = new Array<Cell>(width).fill(null);
      let position = 0;
      for (const name in row) {
        if (names[position] !== name) {
          // Builds new arrays instead of changing the order of the previous rows.
          names = [...names.slice(0, position), name];
          order = [...order.slice(0, position), places.get(name) ?? -1];
        }
        const place = order[position] as number;
        position++;
        if (place < 0) throw unknownColumn(columns, name, before + number, at);
        const value = row[name];
        if (value === null) continue;
        let cell = (converts[place] as Convert)(value);
        if (cell === undefined) {
          const column = columns[place] as Described;
          if (!isExact && mayBeRounded(column.type, value)) return undefined;
          cell = convertLong(column.type, value);
          if (cell === undefined) throw wrongValue(column, value, before + number, at);
        }
        cells[place] = cell;
      }
      converted[number] = cells;
    }
    return converted;
  };
}

const noObject = (number: number, at: string) => oneMistake(`${at}[${number}]`, `Row ${number + 1} must be an object.`);

function unknownColumn(columns: readonly Described[], name: string, number: number, at: string) {
  const like = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const hint = like === undefined ? '' : ` Names are case-sensitive: it is '${like.name}'.`;
  const shown = name.slice(0, 100).toWellFormed();
  return oneMistake(`${at}[${number}].${shown}`, `Row ${number + 1}: the table has no column '${shown}'.${hint}`);
}

function wrongValue({ name, type }: Described, value: unknown, number: number, at: string) {
  const message = `Row ${number + 1}, column '${name}' (${DATA_TYPES[type]}): ${mistakeOf(type, value)}.`;
  return oneMistake(`${at}[${number}].${name}`, message);
}
