import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/kernel/http/errors.ts';
import { addressOf, resolved } from '../../../../src/services/business/batch/address.ts';
import { readJsonBatch } from '../../../../src/services/business/batch/read-json.ts';
import { readMultipartBatch } from '../../../../src/services/business/batch/read-multipart.ts';

const json = (body: unknown) => readJsonBatch(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

describe('a batch in JSON', () => {
  it('keeps the order, the names and the groups of its requests', () => {
    const steps = json({
      requests: [
        { id: 1, method: 'get', url: ' customers ' },
        { id: 'a', atomicityGroup: 'g', method: 'POST', url: 'items', headers: { 'If-Match': '*', N: 5 }, body: {} },
        { id: 'b', atomicityGroup: 'g', method: 'POST', url: 'items', body: null, dependsOn: ['a'] },
        { method: 'DELETE', url: 'items(1)', dependsOn: ['g', 1] },
      ],
    });
    expect(steps).toMatchObject([
      { kind: 'single', item: { id: '1', method: 'GET', url: 'customers', body: { kind: 'none' } } },
      {
        kind: 'changeSet',
        id: 'g',
        items: [
          { id: 'a', headers: { 'if-match': '*', n: '5' }, body: { kind: 'value', value: {} } },
          { id: 'b', body: { kind: 'none' }, dependsOn: ['a'] },
        ],
      },
      { kind: 'single', item: { id: undefined, dependsOn: ['g', '1'] } },
    ]);
  });

  const get = { method: 'GET', url: 'x' };
  it.each([
    ['no JSON', '{"requests":', undefined],
    ['a list', '[]', 'requests'],
    ['null', 'null', 'requests'],
    ['no requests', {}, 'requests'],
    ['a request that is none', { requests: [get, 7] }, 'requests[1]'],
    ['no method', { requests: [{ url: 'x' }] }, 'requests[0].method'],
    ['an empty address', { requests: [{ method: 'GET', url: ' ' }] }, 'requests[0].url'],
    [
      'an id twice',
      {
        requests: [
          { ...get, id: '1' },
          { ...get, id: '1' },
        ],
      },
      'requests[1].id',
    ],
    ['an id that is none', { requests: [{ ...get, id: {} }] }, 'requests[0].id'],
    ['headers that are none', { requests: [{ ...get, headers: ['a'] }] }, 'requests[0].headers'],
    ['a header that is no text', { requests: [{ ...get, headers: { a: [] } }] }, 'requests[0].headers.a'],
    [
      'a dependency on what comes later',
      {
        requests: [
          { ...get, dependsOn: ['2'] },
          { ...get, id: '2' },
        ],
      },
      'requests[0].dependsOn',
    ],
    ['a dependency on itself', { requests: [{ ...get, id: '1', dependsOn: ['1'] }] }, 'requests[0].dependsOn'],
    ['dependencies that are no list', { requests: [{ ...get, dependsOn: '1' }] }, 'requests[0].dependsOn'],
    [
      'a group in two places',
      { requests: ['g', 'h', 'g'].map((atomicityGroup) => ({ ...get, atomicityGroup })) },
      'requests[2].atomicityGroup',
    ],
  ])('with %s is refused, and told where', (_, body, target) => {
    expect(() => json(body)).toThrow(expect.objectContaining({ status: 400, code: 'BadRequest', target }));
  });

  it('of any shape is read or refused', () => {
    const request = fc.dictionary(
      fc.constantFrom('id', 'method', 'url', 'headers', 'body', 'dependsOn', 'atomicityGroup', '__proto__'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ requests: fc.array(request) })), (body) => {
        try {
          json(JSON.stringify(body));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

const part = (lines: readonly string[], head = ['Content-Type: application/http']): string =>
  ['--b', ...head, '', ...lines].join('\r\n');
const multipart = (...parts: string[]) => readMultipartBatch(Buffer.from(`${parts.join('\r\n')}\r\n--b--`), 'b');

describe('a batch in parts', () => {
  it('has requests and change sets of them', () => {
    const inner = [
      [
        '--c',
        'content-type: application/http; msgtype=request',
        'Content-ID: <1>',
        '',
        'POST items HTTP/1.1',
        'Content-Type: application/json',
        '',
        '{"a":1}',
      ],
      [
        '--c',
        'Content-Type: application/http',
        '',
        'PATCH $1 HTTP/1.1',
        'Content-ID: 2',
        'If-Match: *',
        '',
        '{}',
        '--c--',
      ],
    ].flat();
    const steps = multipart(
      part(["GET customers?$filter=displayName eq 'A B' HTTP/1.1", 'Accept: application/json', '', '']),
      part(inner, ['Content-Type: multipart/mixed; boundary=c']),
      part(['DELETE /api/v2.0/items(1)']),
    );
    expect(steps).toMatchObject([
      {
        kind: 'single',
        item: { method: 'GET', url: "customers?$filter=displayName eq 'A B'", body: { kind: 'none' } },
      },
      {
        kind: 'changeSet',
        items: [
          { id: '1', method: 'POST', url: 'items', body: { kind: 'bytes', bytes: Buffer.from('{"a":1}') } },
          { id: '2', url: '$1', headers: { 'if-match': '*' } },
        ],
      },
      { kind: 'single', item: { method: 'DELETE', url: '/api/v2.0/items(1)' } },
    ]);
  });

  it('takes no more of a body than its length says', () => {
    const [step] = multipart(part(['POST items HTTP/1.1', 'Content-Length: 2', '', '{}', '', 'rest']));
    expect(step).toMatchObject({ item: { body: { kind: 'bytes', bytes: Buffer.from('{}') } } });
  });

  const request = ['GET x HTTP/1.1', ''];
  it.each([
    ['a part that is no request', part(request, ['Content-Type: text/plain']), 'part 1'],
    ['a part that says nothing of its type', part(request, []), 'part 1'],
    ['an encoding', part(request, ['Content-Type: application/http', 'Content-Transfer-Encoding: base64']), 'part 1'],
    ['a request line that is none', part(['nonsense']), 'part 1'],
    ['a part without a request', part(['', '']), 'part 1'],
    ['a change set without a boundary', part(request, ['Content-Type: multipart/mixed']), 'part 1'],
    ['a change set that does not end', part(['--c', '', ''], ['Content-Type: multipart/mixed; boundary=c']), 'part 1'],
    [
      'a change set in a change set',
      part(
        ['--c', 'Content-Type: multipart/mixed; boundary=d', '', '--d--', '--c--'],
        ['Content-Type: multipart/mixed; boundary=c'],
      ),
      'part 1, request 1',
    ],
    [
      'an id twice in a change set',
      part(
        [1, 2]
          .flatMap(() => ['--c', 'Content-Type: application/http', 'Content-ID: 1', '', ...request])
          .concat('--c--'),
        ['Content-Type: multipart/mixed; boundary=c'],
      ),
      'part 1',
    ],
  ])('with %s is refused, and told where', (_, text, target) => {
    expect(() => multipart(text)).toThrow(expect.objectContaining({ status: 400, code: 'BadRequest', target }));
  });

  it('of any shape is read or refused', () => {
    const pieces = fc.constantFrom(
      '--b',
      '--c',
      '--b--',
      '--c--',
      '\r\n',
      '\r\n\r\n',
      'Content-Type: application/http',
      'Content-Type: multipart/mixed; boundary=c',
      'GET x HTTP/1.1',
      'Content-Length: 9',
      '{"a":1}',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (texts) => {
        try {
          readMultipartBatch(Buffer.from(texts.join('')), 'b');
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the address of a request in a batch', () => {
  const base = 'https://localhost:7443/v2.0/sandbox/api/v2.0';

  it.each([
    ['companies(1)/items', 'companies(1)/items', ''],
    ['/companies(1)/items?$top=1', 'companies(1)/items', '$top=1'],
    ['/api/v2.0/items', 'items', ''],
    ['/API/V2.0/items', 'items', ''],
    ['/v2.0/sandbox/api/v2.0/items?a=?', 'items', 'a=?'],
    ['https://localhost:7443/v2.0/sandbox/api/v2.0/items', 'items', ''],
    ['https://elsewhere.example/api/v2.0/items', 'items', ''],
    ['$metadata', '$metadata', ''],
    ["items('a/b')", "items('a/b')", ''],
  ])('%s leads to %s', (url, path, search) => {
    expect(addressOf(url, base)).toMatchObject({ path, search });
  });

  it.each([
    '/api/v1.0/items',
    '/api/v2.01/items',
    '/v2.0/production/api/v2.0/items',
    'https://localhost:7443/_jar/limits',
    'http://localhost:7443/api/contoso/fleet/v1.0/trucks',
  ])('%s is of another API', (url) => {
    expect(() => addressOf(url, base)).toThrow(expect.objectContaining({ code: 'BadRequest_InvalidRequestUrl' }));
  });

  it('may say a thing several times in its query', () => {
    expect({ ...addressOf('items?a=1&b=x+y&a=2&a=%203&__proto__=z', base).query }).toEqual({
      a: ['1', '2', ' 3'],
      b: 'x y',
      ['__proto__']: 'z',
    });
  });

  it('may begin with what an earlier request has made', () => {
    const made = new Map([
      ['1', { path: 'items(7)', etag: undefined }],
      ['a b', { path: 'items(8)', etag: undefined }],
    ]);
    expect(resolved('$1/picture?$select=id', made)).toBe('items(7)/picture?$select=id');
    expect(resolved('/$1', made)).toBe('items(7)');
    expect(resolved('$a%20b', made)).toBe('items(8)');
    expect(resolved('$metadata', made)).toBe('$metadata');
    expect(() => resolved('$2/picture', made)).toThrow(
      expect.objectContaining({ code: 'BadRequest_InvalidRequestUrl' }),
    );
  });
});
