import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionName, parsePath } from '../../../../src/services/business/api/path.ts';

describe('the path of a request', () => {
  it.each([
    ['', []],
    ['companies', [{ name: 'companies' }]],
    ['companies(5)/customers', [{ name: 'companies', key: '5' }, { name: 'customers' }]],
    ["subscriptions('a/b')", [{ name: 'subscriptions', key: 'a/b' }]],
    ['subscriptions(%27a%2Fb%27)', [{ name: 'subscriptions', key: 'a/b' }]],
    ["x('O''Brien')/$count", [{ name: 'x', key: "O'Brien" }, { name: '$count' }]],
    ["x(code='A(B)')", [{ name: 'x', key: 'A(B)' }]],
    ['x( id = 7 )', [{ name: 'x', key: '7 '.trim() }]],
  ])('%s is read', (path, expected) => {
    expect(parsePath(path)).toEqual(expected);
  });

  it.each(['x()', "x('a", "x(a'b)", 'x(1,2)', 'x(1)y', '(1)', '%', "x('a','b')"])('%s is refused', (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ status: 400, code: 'BadRequest_NotFound' }));
  });

  it('gives back any text that was written as a key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (key) => {
        const written = encodeURIComponent(key.toWellFormed().replaceAll("'", "''"));
        expect(parsePath(`a/x('${written}')/b`)).toEqual([
          { name: 'a' },
          { name: 'x', key: key.toWellFormed() },
          { name: 'b' },
        ]);
      }),
    );
  });

  it('names bound actions by either prefix', () => {
    expect(['Microsoft.NAV.post', 'vendor.nav.Send', 'post', 'Other.NAV.post'].map(actionName)).toEqual([
      'post',
      'Send',
      undefined,
      undefined,
    ]);
  });
});
