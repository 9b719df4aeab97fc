import { type Json, plainText } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { Table } from '../model/types.ts';
import type { Row } from './converters.ts';

/**
 * Rows for the live stream, as they were sent. A number with more digits than a double holds was rounded by the parser, so it is shown as
 * text with all its digits; rows may contain numbers as text anyway.
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
