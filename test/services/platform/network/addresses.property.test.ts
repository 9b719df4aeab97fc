import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainAddress, RangeSet, rangeOf } from '../../../../src/services/platform/network/addresses.ts';

const bytes = fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 0, max: 255 })));
const address = bytes.map((parts) => parts.join('.'));
const network = fc.tuple(address, fc.option(fc.integer({ min: 0, max: 32 }), { nil: undefined }));
const written = ([text, prefix]: readonly [string, number | undefined]): string =>
  prefix === undefined ? text : `${text}/${prefix}`;

const bitsOf = (text: string): string =>
  text
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');

it('a set of ranges has an address exactly where one of its networks does, bit by bit', () => {
  fc.assert(
    fc.property(fc.array(network, { maxLength: 40 }), fc.array(address, { maxLength: 20 }), (networks, others) => {
      const set = new RangeSet(networks.map(written));
      for (const asked of [...others, ...networks.map(([text]) => text)]) {
        const expected = networks.some(([text, prefix = 32]) =>
          bitsOf(asked).startsWith(bitsOf(text).slice(0, prefix)),
        );
        expect(set.has(asked)).toBe(expected);
      }
    }),
  );
});

it('text that is no address or network has no range', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (!/^[\d./]+$/.test(text)) expect(rangeOf(text)).toBeUndefined();
    }),
  );
  expect(rangeOf('1.2.3.4/0')).toEqual([0, 2 ** 32 - 1]);
});

it('IPv4 addresses in their IPv6 form, and the loopback address of IPv6, count as IPv4', () => {
  expect(['::ffff:127.0.0.1', '::1', '::FFFF:10.0.0.1', '10.0.0.2', 'fe80::1'].map(plainAddress)).toEqual([
    '127.0.0.1',
    '127.0.0.1',
    '10.0.0.1',
    '10.0.0.2',
    'fe80::1',
  ]);
  expect(new RangeSet(['0.0.0.0/0']).has('fe80::1')).toBe(false);
});
