import { expect, it } from 'vitest';
import { boundaryOf, parseMultipart } from '../../../../src/services/business/batch/multipart.ts';
import { onAnyStore } from '../benches.ts';
import { Batches } from './batches.ts';

interface Answered {
  readonly id: string | undefined;
  readonly status: number;
  readonly headers: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

/** The answers of a multipart batch; those of a change set are a nested list. */
function answersIn(bytes: Buffer, type: string): (Answered | Answered[])[] {
  return parseMultipart(bytes, boundaryOf(type) ?? '').map(({ headers, body }) => {
    const inner = headers['content-type'] ?? '';
    if (inner.startsWith('multipart')) return answersIn(body, inner) as Answered[];
    const text = body.toString();
    const end = text.indexOf('\r\n\r\n');
    const json = text.slice(end + 4).trim();
    return {
      id: headers['content-id'],
      status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]),
      headers: text.slice(0, end),
      body: json === '' ? undefined : JSON.parse(json),
    };
  });
}

const http = (id: string, line: string, headers: readonly string[] = [], body = ''): string[] => [
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  `Content-ID: ${id}`,
  '',
  `${line} HTTP/1.1`,
  ...headers,
  '',
  body,
];
const JSON_BODY = ['Content-Type: application/json'];
const together = (boundary: string, ...parts: string[][]): string[] => [
  ...parts.flatMap((part) => [`--${boundary}`, ...part]),
  `--${boundary}--`,
];
const changeSet = (...parts: string[][]): string[] => [
  'Content-Type: multipart/mixed; boundary=changeset',
  '',
  ...together('changeset', ...parts),
  '',
];

onAnyStore('a multipart batch', (bench) => {
  const books = new Batches(bench);

  it.each([
    ['CRLF', '\r\n'],
    ['LF', '\n'],
  ])('with %s reads, changes together, and refers to what it has made', async (_, end) => {
    const items = await books.set('items');
    const name = books.name();
    const lines = together(
      'batch_x',
      http('0', `GET ${items}?$top=1&$select=displayName`),
      changeSet(
        http('1', `POST ${items}`, JSON_BODY, JSON.stringify({ displayName: name })),
        http('2', 'PATCH $1', [...JSON_BODY, 'If-Match: *'], '{"unitPrice":4}'),
      ),
      http('3', `GET /api/v2.0/${items}?$filter=displayName eq '${name}'&$select=unitPrice`, [
        `Host: ${new URL(bench.jar.url).host}`,
      ]),
      http('4', `DELETE ${items}(00000000-0000-0000-0000-000000000000)`),
      http('5', `GET ${items}`),
    );
    const reply = await bench.call('POST', '/api/v2.0/$batch', {
      body: lines.join(end),
      headers: { 'content-type': 'multipart/mixed; boundary="batch_x"' },
    });
    expect(reply.status).toBe(200);
    const answers = answersIn(Buffer.from(reply.text), reply.headers.get('content-type') ?? '');
    expect(answers).toMatchObject([
      { id: '0', status: 200, body: { value: [{ displayName: expect.any(String) }] } },
      [
        {
          id: '1',
          status: 201,
          headers: expect.stringMatching(/\r\nLocation: http.*\/items\(/),
          body: { displayName: name },
        },
        { id: '2', status: 200, body: { unitPrice: 4 } },
      ],
      { id: '3', status: 200, body: { value: [{ unitPrice: 4 }] } },
      { id: '4', status: 404, body: { error: { code: 'Internal_RecordNotFound' } } },
    ]);
  });

  it('answers a change set that fails by one error, and stores nothing of it', async () => {
    const items = await books.set('items');
    const name = books.name();
    const make = (id: string, body: object) => http(id, `POST ${items}`, JSON_BODY, JSON.stringify(body));
    const body = together(
      'b',
      changeSet(make('1', { displayName: name }), make('2', { displayName: 7 }), make('3', { displayName: name })),
      changeSet(make('1', { displayName: name })),
      http('9', `POST ${items}`, JSON_BODY, '{"displayName":'),
    ).join('\r\n');
    const reply = await bench.call('POST', '/api/v2.0/$batch', {
      body,
      headers: {
        'content-type': 'multipart/mixed; boundary=b',
        prefer: 'odata.continue-on-error',
        accept: 'application/json',
      },
    });
    expect(reply.body.responses).toMatchObject([
      { id: '2', status: 400 },
      { id: '1', status: 201 },
      {
        id: '9',
        status: 400,
        body: { error: { code: 'BadRequest', message: expect.stringContaining('not valid JSON') } },
      },
    ]);
    expect(await books.count(name)).toBe(1);
  });
});
