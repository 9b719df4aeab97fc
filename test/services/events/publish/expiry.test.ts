import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coversEndpoint,
  isSignedWith,
  readExpiry,
  readSignature,
} from '../../../../src/services/events/publish/signature.ts';

describe('the expiry of a signature', () => {
  it.each([
    ['6/5/2020 12:09:03 PM', '2020-06-05T12:09:03.000Z'],
    ['6/5/2020 12:09:03 AM', '2020-06-05T00:09:03.000Z'],
    ['12/31/2020 1:00:00 pm', '2020-12-31T13:00:00.000Z'],
    ['6/5/2020 12:09:03\u202fPM', '2020-06-05T12:09:03.000Z'],
    ['6/5/2020 1:09 AM', '2020-06-05T01:09:00.000Z'],
    ['2020-06-05T12:09:03Z', '2020-06-05T12:09:03.000Z'],
    ['2020-06-05T12:09:03', '2020-06-05T12:09:03.000Z'],
    ['2020-06-05 12:09:03', '2020-06-05T12:09:03.000Z'],
    ['2020-06-05', '2020-06-05T00:00:00.000Z'],
    ['2020-06-05T12:09:03.1234567+02:00', '2020-06-05T10:09:03.123Z'],
    ['Fri, 05 Jun 2020 12:09:03 GMT', '2020-06-05T12:09:03.000Z'],
    ['5 Jun 2020 12:09:03', '2020-06-05T12:09:03.000Z'],
    [' 1591358943 ', '2020-06-05T12:09:03.000Z'],
  ])('%j is %s', (text, time) => {
    expect(new Date(readExpiry(text)).toISOString()).toBe(time);
  });

  it.each(['', 'never', '13/1/2020 1:00:00 AM', '2/30/2020 1:00:00 AM', '2020-13-01', '99999999999999999999'])(
    '%j is none',
    (text) => {
      expect(readExpiry(text)).toBeNaN();
    },
  );
});

describe('a signature', () => {
  const KEY = Buffer.from('a key of some length').toString('base64');
  const sign = (text: string): string => createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64');

  it('is read as .NET encodes it', () => {
    const text = 'r=https%3a%2f%2flocalhost%2fapi%2fevents%3fapi-version%3d2018-01-01&e=6%2f5%2f2020+12%3a09%3a03+PM';
    const read = readSignature(`${text}&s=${encodeURIComponent(sign(text)).toLowerCase()}`);
    expect(read).toMatchObject({
      signed: text,
      resource: 'https://localhost/api/events?api-version=2018-01-01',
      expiry: '6/5/2020 12:09:03 PM',
    });
    expect(isSignedWith(KEY, readSignature(`${text}&s=${encodeURIComponent(sign(text))}`)!)).toBe(true);
    expect(isSignedWith(KEY, readSignature(`${text}&s=${sign(text)}`)!)).toBe(true);
  });

  it.each([
    '',
    'r=a',
    'r=a&e=b',
    'r=a&e=b&s=',
    'e=b&s=c',
    'r=a&s=c',
    'r=%&e=b&s=c',
    'r=a&e=b&s=%',
    `r=${'a'.repeat(9000)}&e=b&s=c`,
  ])('%j is none', (token) => {
    expect(readSignature(token)).toBeUndefined();
  });

  it('is valid only for what was signed, and with its key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.base64String({ minLength: 4 }), (resource, expiry, other) => {
        fc.pre(resource !== '' && expiry !== '' && other !== KEY);
        const text = `r=${encodeURIComponent(resource)}&e=${encodeURIComponent(expiry)}`;
        const read = readSignature(`${text}&s=${encodeURIComponent(sign(text))}`)!;
        expect(read).toMatchObject({ resource, expiry });
        expect(isSignedWith(KEY, read)).toBe(true);
        expect(isSignedWith(other, read)).toBe(false);
        expect(isSignedWith(KEY, { ...read, signed: `${read.signed} ` })).toBe(false);
      }),
    );
  });

  it('covers an endpoint by whole segments of its path', () => {
    const endpoints = ['https://localhost:1/events/westus/orders/api/events'];
    expect(coversEndpoint('https://localhost/events/westus/orders', endpoints)).toBe(true);
    expect(coversEndpoint('https://localhost/events/westus/order', endpoints)).toBe(false);
    expect(coversEndpoint('https://localhost/events/westus/orders/api/events/x', endpoints)).toBe(false);
    expect(coversEndpoint('https://[::1]/', endpoints)).toBe(true);
    expect(coversEndpoint('not a resource', endpoints)).toBe(false);
  });
});
