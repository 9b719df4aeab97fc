import { type Column, completeColumn } from '../../catalog/tables/columns.ts';
import type { ColumnType } from '../../catalog/tables/types.ts';

/**
 * The output tables that the text of a notebook creates: `CREATE TABLE` and `saveAsTable` with the parameter `cr_output_schema` in the
 * name. Nothing is evaluated: computed names are not found, and columns come from the statement.
 */

export interface DeclaredTable {
  readonly name: string;
  readonly columns: readonly Column[];
}

const PARAMETER = 'cr_output_schema';
/** Maximum characters from the start of the statement to the parameter, and of names and column lists after it. */
const BEFORE = 300;
const AFTER = 20_000;
const MOST_COLUMNS = 1000;

const MAKING = ['create table', 'create or replace table', 'create table if not exists', 'saveastable', 'writeto'];
const READING = ['select', 'from', 'join', 'drop table', 'describe', 'insert', 'show'];

/** Between the parameter and the name: a full stop, with characters around it that close and join strings. */
const JOINT = /^[\s"'`)}|+:]{0,50}\.[\s"'`)}|+:{f]{0,50}?([A-Za-z_]\w{0,254})["'`)\s]{0,50}/;

/** Stops after one more table than `most`. */
export function tablesIn(text: string, most: number): readonly DeclaredTable[] {
  const found = new Map<string, DeclaredTable>();
  for (let at = text.indexOf(PARAMETER); at >= 0; at = text.indexOf(PARAMETER, at + PARAMETER.length)) {
    if (!isMaking(text.slice(Math.max(0, at - BEFORE), at))) continue;
    const rest = text.slice(at + PARAMETER.length, at + PARAMETER.length + AFTER);
    const [joint, name] = JOINT.exec(rest) ?? [];
    if (joint === undefined || name === undefined) continue;
    const table = { name: name.toLowerCase(), columns: columnsIn(rest.slice(joint.length)) };
    if (!found.has(table.name)) found.set(table.name, table);
    if (found.size > most) break;
  }
  return [...found.values()];
}

/** Whether the nearest statement before the parameter creates a table. */
function isMaking(before: string): boolean {
  const text = before.toLowerCase().replace(/\s+/g, ' ');
  const last = (words: readonly string[]): number => Math.max(...words.map((word) => text.lastIndexOf(word)));
  return last(MAKING) > last(READING);
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  BIGINT: 'LONG',
  BINARY: 'BINARY',
  BOOLEAN: 'BOOLEAN',
  BYTE: 'BYTE',
  DATE: 'DATE',
  DOUBLE: 'DOUBLE',
  FLOAT: 'FLOAT',
  INT: 'INT',
  INTEGER: 'INT',
  LONG: 'LONG',
  REAL: 'FLOAT',
  SHORT: 'SHORT',
  SMALLINT: 'SHORT',
  STRING: 'STRING',
  TIMESTAMP: 'TIMESTAMP',
  TIMESTAMP_NTZ: 'TIMESTAMP_NTZ',
  TINYINT: 'BYTE',
  VARIANT: 'VARIANT',
};

/** Parses `(id BIGINT, name STRING)`. Types with parameters or members become text. */
function columnsIn(text: string): readonly Column[] {
  if (!text.startsWith('(')) return [];
  const columns = new Map<string, Column>();
  for (const entry of entriesOf(text)) {
    const [, name, type = ''] = /^`?([A-Za-z_]\w{0,254})`?\s+(\w{1,30})/.exec(entry.trim()) ?? [];
    if (name === undefined || columns.has(name.toLowerCase()) || columns.size >= MOST_COLUMNS) continue;
    const typeName = TYPES[type.toUpperCase()] ?? 'STRING';
    columns.set(name.toLowerCase(), completeColumn({ name, type_name: typeName }, columns.size));
  }
  return [...columns.values()];
}

/** Splits at the commas of the outermost brackets. Returns nothing if they are not closed. */
function entriesOf(text: string): readonly string[] {
  const entries: string[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '(' || sign === '<') depth++;
    if (sign === ')' || sign === '>') depth--;
    if (depth > 1 || (sign !== ',' && depth > 0)) continue;
    entries.push(text.slice(from, at));
    from = at + 1;
    if (depth === 0) return entries;
  }
  return [];
}
