import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeFields, type FieldRules, readFields } from '../../../../src/services/platform/engine/fields.ts';
import { maskedFields, withMaskedParts } from '../../../../src/services/platform/engine/mask.ts';

const RULES: FieldRules = {
  name: { type: 'string', required: true, least: 1, most: 5 },
  size: { type: 'integer', least: 1, most: 10, default: 3 },
  nested: {
    type: 'object',
    members: {
      on: { type: 'boolean', default: true },
      deep: { type: 'object', members: { at: { type: 'number', required: true } } },
    },
  },
  list: { type: 'array', items: { type: 'string', most: 2 } },
  shown: { type: 'any', readOnly: true },
};

const read = (sent: unknown) => completeFields(RULES, readFields(RULES, sent));

describe('fields of an object', () => {
  it('are read by their rules: unknown and read-only ones are left out, defaults are filled in, inside as well', () => {
    const sent = { name: 'a', size: '7', nested: { other: 1, deep: { at: 1.5 } }, shown: 1, more: 2, list: null };
    expect(read(sent)).toEqual({ name: 'a', size: 7, nested: { on: true, deep: { at: 1.5 } } });
    expect(read({ name: 'a' })).toEqual({ name: 'a', size: 3 });
  });

  it.each([
    [null, 'the body must be an object'],
    [{}, 'Missing required field: name'],
    [{ name: '' }, "'name' must be at least 1 characters"],
    [{ name: 'abcdef' }, "'name' must be at most 5 characters"],
    [{ name: 'a', size: 1.5 }, "'size' must be an integer"],
    [{ name: 'a', size: 11 }, "'size' must be at most 10"],
    [{ name: 'a', nested: [] }, "'nested' must be an object"],
    [{ name: 'a', nested: { deep: {} } }, 'Missing required field: nested.deep.at'],
    [{ name: 'a', nested: { deep: { at: 'x' } } }, "'nested.deep.at' must be a number"],
    [{ name: 'a', list: ['ab', 'abc'] }, "'list[1]' must be at most 2 characters"],
  ])('refuses %j', (sent, message) => {
    expect(() => read(sent)).toThrow(message);
  });

  it('result in fields or an error for any input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (sent) => {
        try {
          const found = read(sent);
          expect(Object.keys(RULES)).toEqual(expect.arrayContaining(Object.keys(found)));
        } catch (error) {
          expect(error).toHaveProperty('status', 400);
        }
      }),
    );
  });
});

describe('a mask', () => {
  it('with dots changes parts, and leaves the rest of a field as it is', () => {
    const before = { a: { x: 1, y: { z: 2, w: 3 } }, b: 1 };
    const sent = { a: { x: 9, y: { z: 8 } }, b: 7 };
    expect(withMaskedParts(before, sent, ['a.y.z', 'b'])).toEqual({ a: { x: 1, y: { z: 8, w: 3 } }, b: 7 });
    expect(withMaskedParts(before, sent, ['a.y.z', 'a'])).toEqual(sent);
    expect(withMaskedParts(before, { a: {} }, ['a.x'])).toEqual({ a: { x: undefined, y: { z: 2, w: 3 } } });
    expect(withMaskedParts({}, sent, ['c.d'])).toEqual({ ...sent, c: { d: undefined } });
    expect(maskedFields(['a.y.z', 'a.x', 'b'])).toEqual(['a', 'b']);
  });

  it('cannot reach a prototype', () => {
    withMaskedParts({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'), [
      '__proto__.polluted',
      'constructor.prototype.polluted',
    ]);
    expect({}).not.toHaveProperty('polluted');
  });
});
