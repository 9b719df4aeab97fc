import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/kernel/store/types.ts';
import { compileFilter } from '../../../../src/services/events/matching/compile.ts';
import { FilterIndex } from '../../../../src/services/events/matching/scope-index.ts';
import { spellingOf } from '../../../../src/services/events/matching/spelling.ts';
import { aFilter, anEvent, matches } from './samples.ts';

const only = (operatorType: string, key: string, operand: object = {}, rest: object = {}): object => ({
  advancedFilters: [{ operatorType, key, ...operand }],
  ...rest,
});
const ON_ARRAYS = { enableAdvancedFilteringOnArrays: true };

describe('hostile events and filters', () => {
  it('may be nested as deeply as they like', () => {
    const depth = 100_000;
    let data: Json = 'red';
    for (let i = 0; i < depth; i++) data = { a: data };
    const key = `data${'.a'.repeat(depth)}`;
    expect(matches(only('StringIn', key, { values: ['RED'] }), anEvent({ data }))).toBe(true);
    expect(matches(only('IsNotNull', `${key}.a`), anEvent({ data }))).toBe(false);
    let lists: Json = 'red';
    for (let i = 0; i < depth; i++) lists = [lists];
    expect(matches(only('StringIn', 'data.l', { values: ['red'] }, ON_ARRAYS), anEvent({ data: { l: lists } }))).toBe(
      false,
    );
  });

  it('may have arrays and objects of a hundred thousand', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => `v${i}`);
    const data = { many, ...Object.fromEntries(many.map((name) => [name, name])) };
    const event = anEvent({ data });
    expect(matches(only('StringIn', 'data.many', { values: ['V99999'] }, ON_ARRAYS), event)).toBe(true);
    expect(matches(only('StringNotContains', 'data.many', { values: ['99999'] }, ON_ARRAYS), event)).toBe(false);
    const filters = many.slice(0, 2000).map((name, item) => ({
      compiled: compileFilter(aFilter(only('StringIn', `DATA.${name.toUpperCase()}`, { values: [name] }))),
      item,
    }));
    expect(new FilterIndex(filters, spellingOf([])).matching(event)).toHaveLength(2000);
  });

  it('do not match inherited members, and change nothing', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'length', 'hasOwnProperty']) {
      for (const key of [name, `data.${name}`, `data.${name}.${name}`, `data.list.${name}`]) {
        const event = anEvent({ data: { list: [1] } });
        expect(matches(only('IsNotNull', key), event)).toBe(false);
        expect(matches(only('IsNullOrUndefined', key), event)).toBe(true);
      }
    }
    const polluting = anEvent({ data: JSON.parse('{"__proto__":{"polluted":true}}') });
    expect(matches(only('BoolEquals', 'data.__proto__.polluted', { value: true }), polluting)).toBe(true);
    expect(matches(only('IsNotNull', 'data.polluted'), polluting)).toBe(false);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('have non-finite numbers only as texts', () => {
    for (const text of ['NaN', 'Infinity', '-Infinity', '0x10', '1e3', '']) {
      const event = anEvent({ data: { n: text } });
      for (const operator of ['NumberLessThan', 'NumberGreaterThanOrEquals'])
        expect(matches(only(operator, 'data.n', { value: 0 }), event)).toBe(false);
      expect(matches(only('NumberIn', 'data.n', { values: [0, 16, 1000] }), event)).toBe(false);
      expect(matches(only('NumberNotInRange', 'data.n', { values: [[-1e308, 1e308]] }), event)).toBe(true);
    }
    expect(matches(only('NumberIn', 'data.n', { values: [0] }), anEvent({ data: { n: -0 } }))).toBe(true);
    expect(
      matches(only('NumberGreaterThan', 'data.n', { value: 1e308 }), anEvent({ data: JSON.parse('{"n":1e999}') })),
    ).toBe(true);
  });

  it('may use all that the limits allow at once', () => {
    const advancedFilters = Array.from({ length: 25 }, (_, i) => ({
      operatorType: 'StringNotContains',
      key: `data.k${i}`,
      values: [`${'x'.repeat(511)}${i % 10}`],
    }));
    const data = Object.fromEntries(advancedFilters.map((_, i) => [`k${i}`, 'X'.repeat(20_000)]));
    expect(matches({ advancedFilters }, anEvent({ data }))).toBe(true);
    expect(matches({ advancedFilters }, anEvent({ data: { ...data, k24: `${'X'.repeat(600)}4` } }))).toBe(false);
  });

  it('compare letters with special case rules', () => {
    const color = (value: string) => anEvent({ data: { color: value }, subject: value });
    expect(matches(only('StringIn', 'data.color', { values: ['İstanbul'] }), color('İSTANBUL'))).toBe(true);
    expect(matches(only('StringIn', 'data.color', { values: ['İstanbul'] }), color('istanbul'))).toBe(false);
    expect(matches(only('StringBeginsWith', 'data.color', { values: ['ΟΔΟΣ'] }), color('οδοστρωμα'))).toBe(true);
    expect(matches({ subjectEndsWith: 'ΟΔΟΣ' }, color('μια οδος'))).toBe(true);
    expect(matches(only('StringContains', 'data.color', { values: ['STRASSE'] }), color('Straße'))).toBe(false);
    expect(matches(only('IsNotNull', 'data.ΟΔΟΣ'), anEvent({ data: { οδος: 1 } }))).toBe(true);
  });

  it('may have subjects of a megabyte', () => {
    const subject = `/${'a'.repeat(1_000_000)}`;
    const filters = Array.from({ length: 1000 }, (_, i) => ({
      compiled: compileFilter(aFilter({ subjectBeginsWith: `/${'A'.repeat(i)}`, subjectEndsWith: 'a'.repeat(i + 1) })),
      item: i,
    }));
    expect(new FilterIndex(filters, spellingOf([])).matching(anEvent({ subject }))).toHaveLength(1000);
  });
});
