import { expect, test } from 'vitest';
import { byName, compareText } from '../../../src/kernel/values/compare.ts';
import { isObject, omitAbsent } from '../../../src/kernel/values/objects.ts';

test.each([{}, { a: 1 }, Object.create(null)])('%j is an object', (value) => expect(isObject(value)).toBe(true));

test.each([null, undefined, [], [{}], 'text', 1, true])('%j is no object', (value) =>
  expect(isObject(value)).toBe(false),
);

test('members that are undefined are left out of a copy', () => {
  const whole = { a: 1, b: undefined, c: null };
  expect(omitAbsent(whole)).toStrictEqual({ a: 1, c: null });
  expect(whole).toStrictEqual({ a: 1, b: undefined, c: null });
});

test('text is ordered by its code units, names without regard to case', () => {
  expect(['b', 'B', 'a', 'é', ''].sort(compareText)).toEqual(['', 'B', 'a', 'b', 'é']);
  expect(compareText('same', 'same')).toBe(0);
  const names = [{ name: 'beta' }, { name: 'Alpha' }, { name: 'Gamma' }];
  expect(names.sort(byName).map(({ name }) => name)).toEqual(['Alpha', 'beta', 'Gamma']);
});
