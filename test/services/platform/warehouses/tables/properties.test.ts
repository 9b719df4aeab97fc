import { beforeEach, describe, expect, it } from 'vitest';
import type { Relations } from '../../../../../src/services/platform/warehouses/sql/relations.ts';
import { runStatement } from '../../../../../src/services/platform/warehouses/sql/run-statement.ts';
import { simple } from '../../../../../src/services/platform/warehouses/sql/types.ts';
import { onAnyStore } from '../../../../support/jars.ts';
import { SqlBench } from './support.ts';

/** Random conditions and joins, compared with an evaluator that tries every combination of rows and uses three-valued logic. */

type Value = number | null;
type Truth = boolean | null;
type Row = Readonly<Record<string, Value>>;

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

interface Condition {
  readonly text: string;
  of(row: Row): Truth;
}

const not = (value: Truth): Truth => (value === null ? null : !value);
const and = (one: Truth, other: Truth): Truth =>
  one === false || other === false ? false : one === null || other === null ? null : true;
const or = (one: Truth, other: Truth): Truth => not(and(not(one), not(other)));

const COMPARED: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '=': (one, other) => one === other,
  '<>': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
};

function comparison(op: string, one: Value, other: Value): Truth {
  if (op === '<=>') return one === other;
  return one === null || other === null ? null : (COMPARED[op] as (a: number, b: number) => boolean)(one, other);
}

function conditionOf(random: (below: number) => number, columns: readonly string[], depth: number): Condition {
  const column = (): string => columns[random(columns.length)] as string;
  const shown = (value: Value): string => (value === null ? 'NULL' : String(value));
  const constant = (): Value => (random(8) === 0 ? null : random(6));
  const kind = random(depth > 0 ? 8 : 5);
  const inner = (): Condition => conditionOf(random, columns, depth - 1);
  if (kind < 2) {
    const op = ['=', '<>', '<', '<=', '>', '>=', '<=>'][random(7)] as string;
    const [left, right] = [column(), random(2) === 0 ? column() : constant()];
    const valueIn = (row: Row): Value => (typeof right === 'string' ? (row[right] as Value) : right);
    const text = typeof right === 'string' ? right : shown(right);
    const isSwapped = random(2) === 0 && op !== '<=>';
    if (isSwapped)
      return { text: `${text} ${op} ${left}`, of: (row) => comparison(op, valueIn(row), row[left] as Value) };
    return { text: `${left} ${op} ${text}`, of: (row) => comparison(op, row[left] as Value, valueIn(row)) };
  }
  if (kind === 2) {
    const [name, isNot] = [column(), random(2) === 0];
    return { text: `${name} IS ${isNot ? 'NOT ' : ''}NULL`, of: (row) => (row[name] === null) !== isNot };
  }
  if (kind === 3) {
    const [name, isNot] = [column(), random(2) === 0];
    const list = Array.from({ length: 1 + random(12) }, constant);
    const of = (row: Row): Truth => {
      const found = list.reduce<Truth>((so, each) => or(so, comparison('=', row[name] as Value, each)), false);
      return isNot ? not(found) : found;
    };
    return { text: `${name} ${isNot ? 'NOT ' : ''}IN (${list.map(shown).join(', ')})`, of };
  }
  if (kind === 4) {
    const [name, low, high] = [column(), constant(), constant()];
    const of = (row: Row): Truth =>
      and(comparison('>=', row[name] as Value, low), comparison('<=', row[name] as Value, high));
    return { text: `${name} BETWEEN ${shown(low)} AND ${shown(high)}`, of };
  }
  if (kind === 5) {
    const one = inner();
    return { text: `NOT (${one.text})`, of: (row) => not(one.of(row)) };
  }
  const [one, other] = [inner(), inner()];
  const isAnd = kind === 6;
  return {
    text: `(${one.text}) ${isAnd ? 'AND' : 'OR'} (${other.text})`,
    of: (row) => (isAnd ? and : or)(one.of(row), other.of(row)),
  };
}

const tableOf = (random: (below: number) => number, names: readonly string[], most: number): readonly Row[] =>
  Array.from({ length: random(most) }, () =>
    Object.fromEntries(names.map((name) => [name, random(5) === 0 ? null : random(6)])),
  );

/** Tables in memory, in batches. */
const relationsOf = (
  tables: Readonly<Record<string, readonly Row[]>>,
  columns: Readonly<Record<string, readonly string[]>>,
): Relations => ({
  async open({ parts: [name = ''] }) {
    const names = columns[name] as readonly string[];
    return {
      is: 'table',
      path: ['main', 'default', name],
      columns: names.map((each) => ({ name: each, type: simple('INT') })),
      async *read({ needed }) {
        for (const row of tables[name] ?? [])
          yield [
            names.map((each, index) => (row[each] === null || !needed.has(index) ? null : BigInt(row[each] as number))),
          ];
      },
    };
  },
});

const COLUMNS = { l: ['a', 'b'], r: ['c', 'd'] } as const;
const JOINS = ['INNER', 'LEFT', 'RIGHT', 'FULL', 'LEFT SEMI', 'LEFT ANTI'] as const;

/** Compares every pair of rows. */
function joined(
  kind: (typeof JOINS)[number],
  left: readonly Row[],
  right: readonly Row[],
  on: Condition,
): readonly Row[] {
  const nothing = { a: null, b: null, c: null, d: null };
  const pairs = left.flatMap((one) => right.map((other) => ({ one, other, row: { ...one, ...other } as Row })));
  const matches = pairs.filter(({ row }) => on.of(row) === true);
  const lonely = (rows: readonly Row[], side: 'one' | 'other') =>
    rows.filter((row) => !matches.some((match) => match[side] === row)).map((row): Row => ({ ...nothing, ...row }));
  if (kind === 'LEFT SEMI') return left.filter((row) => matches.some(({ one }) => one === row));
  if (kind === 'LEFT ANTI') return left.filter((row) => !matches.some(({ one }) => one === row));
  return [
    ...matches.map(({ row }) => row),
    ...(kind === 'LEFT' || kind === 'FULL' ? lonely(left, 'one') : []),
    ...(kind === 'RIGHT' || kind === 'FULL' ? lonely(right, 'other') : []),
  ];
}

const shownRows = (rows: readonly Row[], names: readonly string[]): readonly string[] =>
  rows.map((row) => names.map((name) => String(row[name])).join()).sort();

describe('joins and conditions over random rows', () => {
  it.each(JOINS)('%s JOIN gives the same result as comparing every pair of rows', async (kind) => {
    const random = numbers(JOINS.indexOf(kind) + 7);
    for (let round = 0; round < 80; round++) {
      const [left, right] = [tableOf(random, COLUMNS.l, 9), tableOf(random, COLUMNS.r, 9)];
      const isEqual = random(2) === 0;
      const extra = conditionOf(random, ['a', 'b', 'c', 'd'], 1);
      const on: Condition = isEqual
        ? {
            text: `a = c AND (${extra.text})`,
            of: (row) => and(comparison('=', row.a as Value, row.c as Value), extra.of(row)),
          }
        : extra;
      const isPartial = kind === 'LEFT SEMI' || kind === 'LEFT ANTI';
      const names = isPartial ? ['a', 'b'] : ['a', 'b', 'c', 'd'];
      const where = conditionOf(random, names, 2);
      const relations = relationsOf({ l: left, r: right }, COLUMNS);
      const session = { now: 0, user: '', catalog: 'main', schema: 'default', parameters: new Map(), relations };
      const text = `SELECT ${names.join(', ')} FROM l ${kind} JOIN r ON ${on.text} WHERE ${where.text}`;
      const { rows } = await runStatement(text, session);
      const wanted = joined(kind, left, right, on).filter((row) => where.of(row) === true);
      expect(rows.map((row) => row.map(String).join()).sort(), text).toEqual(shownRows(wanted, names));
    }
  });
});

onAnyStore('data platform: conditions over tables of many files', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('files are skipped only if none of their rows can match, also for UPDATE and DELETE', async () => {
    const sql = await SqlBench.of(bench);
    await sql.rows('CREATE TABLE t (a INT, b INT)');
    const random = numbers(99);
    const rows: Row[] = [];
    for (let file = 0; file < 6; file++) {
      const some = Array.from({ length: 5 }, () => ({
        a: random(6) === 0 ? null : file + random(2),
        b: file === 3 ? null : random(6),
      }));
      rows.push(...some);
      await sql.rows(`INSERT INTO t VALUES ${some.map(({ a, b }) => `(${a}, ${b})`).join(', ')}`);
    }
    for (let round = 0; round < 30; round++) {
      const where = conditionOf(random, ['a', 'b'], 2);
      const found = await sql.rows(`SELECT a, b FROM t WHERE ${where.text}`);
      const wanted = shownRows(
        rows.filter((row) => where.of(row) === true),
        ['a', 'b'],
      );
      expect(found.map((row) => row.map(String).join()).sort(), where.text).toEqual(wanted);
    }
    let kept: readonly Row[] = rows;
    for (let round = 0; round < 8; round++) {
      const where = conditionOf(random, ['a', 'b'], 1);
      const isMeant = (row: Row): boolean => where.of(row) === true;
      const [[affected] = []] = await sql.rows(
        round % 2 === 0 ? `UPDATE t SET b = 9 WHERE ${where.text}` : `DELETE FROM t WHERE ${where.text} AND b = 9`,
      );
      const isGone = (row: Row): boolean => isMeant(row) && row.b === 9;
      expect(Number(affected), where.text).toBe(kept.filter(round % 2 === 0 ? isMeant : isGone).length);
      kept =
        round % 2 === 0
          ? kept.map((row) => (isMeant(row) ? { ...row, b: 9 } : row))
          : kept.filter((row) => !isGone(row));
      const found = await sql.rows('SELECT a, b FROM t');
      expect(found.map((row) => row.map(String).join()).sort(), where.text).toEqual(shownRows(kept, ['a', 'b']));
    }
  });

  it('many rows are read while the jar answers others, and a limit ends the reading', async () => {
    const sql = await SqlBench.of(bench);
    await sql.rows('CREATE TABLE big AS SELECT id, id % 97 AS k FROM range(40000)');
    const counting = sql.rows('SELECT k, count(*) FROM big a GROUP BY k HAVING k < 2 ORDER BY k');
    // The jar responds while it counts.
    for (let round = 0; round < 3; round++) expect((await sql.ask('GET', '/sql/warehouses')).status).toBe(200);
    expect(await counting).toEqual([
      ['0', '413'],
      ['1', '413'],
    ]);
    expect(await sql.rows('SELECT count(*) FROM big a JOIN big b ON a.id = b.id + 39999')).toEqual([['1']]);
    await sql.rows('INSERT INTO big SELECT id + 200000, 1 FROM range(40000)');
    expect(await sql.rows('SELECT count(*) FROM (SELECT id FROM big LIMIT 5)')).toEqual([['5']]);
    expect(await sql.rows('SELECT id FROM big WHERE id = 200005')).toEqual([['200005']]);
    expect(await sql.rows('SELECT count(*) FROM big WHERE id >= 200000')).toEqual([['40000']]);
  });
});
