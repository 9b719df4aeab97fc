import { type Json, plainText } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { Table } from '../model/types.ts';
import type { Row } from './converters.ts';

/**
 * Rows as they were sent, for whoever watches them come. A number of more digits than a double keeps was rounded when it was parsed: it is shown as text,
 * with every digit, which rows may have for numbers anyway.
 */
export function shownLive({ columns }: Pick<Table, 'columns'>, rows: readonly Row[], sent: readonly unknown[]): Json {
  const exact = sent.map((row, number) => {
    if (!isObject(row)) return row;
    const long = columns.flatMap(({ name, type }, place): [string, string][] => {
      const cell = rows[number]?.[place];
      if (typeof cell !== 'bigint' || typeof row[name] !== 'number') return [];
      const text = plainText(type, cell);
      return text === String(row[name]) ? [] : [[name, text]];
    });
    return long.length === 0 ? row : Object.fromEntries([...Object.entries(row), ...long]);
  });
  return JSON.parse(JSON.stringify(exact));
}
