import { describe, expect, it } from 'vitest';
import { createLogger, redactUrl } from '../../../src/kernel/telemetry/log.ts';
import { redactText } from '../../../src/kernel/telemetry/redact.ts';

/** Part of every secret in the cases below, so that one search finds any that was not redacted. */
const PLANTED = 'pLaNtEd';

const JWT = `eyJhbGciOiJSUzI1NiJ9.${PLANTED}.c2ln${PLANTED}`;

class DatabaseError extends Error {
  readonly password = PLANTED;
}

const HIDDEN: readonly (readonly [string, object | string])[] = [
  ['an authorization header', { headers: { authorization: `Bearer ${PLANTED}` } }],
  ['a header in capitals', { req: { headers: { Authorization: PLANTED, 'X-API-Token': PLANTED } } }],
  ['a subscription key header', { headers: { 'ocp-apim-subscription-key': PLANTED } }],
  ['an auxiliary authorization header', { headers: { 'x-ms-authorization-auxiliary': `Bearer ${PLANTED}` } }],
  ['a key of a function', { headers: { 'x-functions-key': PLANTED } }],
  ['a token of a session', { headers: { 'X-Auth-Token': PLANTED, 'x-amz-security-token': PLANTED } }],
  ['a token of a web hook', { headers: { 'X-Gitlab-Token': PLANTED } }],
  ['a signature in an address of another cloud', { url: `/x?X-Amz-Signature=${PLANTED}&X-Goog-Signature=${PLANTED}` }],
  ['cookies of a request', { headers: { cookie: `session=${PLANTED}` } }],
  ['cookies of an answer', { res: { headers: { 'set-cookie': [`a=${PLANTED}`, `b=${PLANTED}`] } } }],
  ['raw headers', { rawHeaders: ['Host', 'a', 'Authorization', `Basic ${PLANTED}`] }],
  ['a Headers object', { headers: new Headers({ authorization: PLANTED }) }],
  ['a password deep in a body', { body: { users: [{ profile: { password: PLANTED } }] } }],
  ['an administrator password in camel case', { body: { administratorLoginPassword: PLANTED } }],
  ['a client secret', { client_secret: PLANTED, clientSecret: PLANTED }],
  ['tokens', { access_token: PLANTED, refresh_token: PLANTED, id_token: PLANTED, accessToken: PLANTED }],
  ['an authorization code in a token request', { body: { grant_type: 'authorization_code', code: PLANTED } }],
  ['a code verifier', { code_verifier: PLANTED }],
  ['a form as text', { body: `grant_type=authorization_code&code=${PLANTED}&client_secret=${PLANTED}` }],
  ['a form that begins with the code', `code=${PLANTED}&state=1`],
  ['a body as JSON text', { body: `{"name":"a","password":"${PLANTED}","n":1}` }],
  ['a body as spaced JSON text', { body: `{ "password" : "with \\" ${PLANTED}" }` }],
  ['JSON in JSON', { body: JSON.stringify({ inner: JSON.stringify({ client_secret: PLANTED }) }) }],
  ['a signature in an address', { url: `https://a.example/x?se=1&sig=${PLANTED}&sp=r` }],
  ['a key in a path with query', { url: `/api/hook?code=${PLANTED}&key=${PLANTED}` }],
  ['a token in a fragment', { location: `https://app.example/#access_token=${PLANTED}&token_type=Bearer` }],
  ['a password in an address that is a parameter', { url: `/x?to=https%3A%2F%2Fme%3A${PLANTED}%40host%2Fa` }],
  ['the same encoded twice', `GET /x?to=https%253a%252f%252fme%253a${PLANTED}%2540host 200`],
  ['the same encoded in part', { url: `/x?to=https://me%3A${PLANTED}%40host/` }],
  ['an encoded parameter name', { url: `/x?access%5Ftoken=${PLANTED}` }],
  ['a URL object', { url: new URL(`https://me:${PLANTED}@a.example/?sas=${PLANTED}`) }],
  ['a password in a path that was made of an address', { url: `//me:${PLANTED}@host/a` }],
  ['the same in a sentence', { message: `Nothing is served at '//me:${PLANTED}@host/a'.` }],
  ['a password in a database address', { message: `cannot reach postgres://jar:${PLANTED}@db:5432/jar` }],
  ['a password without a user', `redis://:${PLANTED}@cache:6379 is down`],
  ['a connection string', `Server=db;User Id=me;Password=${PLANTED};Encrypt=true`],
  ['a storage connection string', `AccountName=a;AccountKey=${PLANTED}==;EndpointSuffix=x`],
  ['a service bus connection string', `Endpoint=sb://a/;SharedAccessKeyName=n;SharedAccessKey=${PLANTED}=`],
  ['a field named connection string', { connectionString: `anything ${PLANTED}` }],
  ['a bearer token in a message', `refused Bearer ${PLANTED} for /x`],
  ['a shared access signature in a message', `SharedAccessSignature sr=a&sig=${PLANTED}&se=1`],
  ['a header line in a message', `sent\r\nCookie: a=1; b=${PLANTED}; c=2\r\nHost: a`],
  ['a bare JSON web token', `token was ${JWT}`],
  ['a private key', `-----BEGIN EC PRIVATE KEY-----\n${PLANTED}\n${PLANTED}\n-----END EC PRIVATE KEY-----`],
  ['an error message', new Error(`login with password=${PLANTED} failed`)],
  ['an error property', new DatabaseError('failed')],
  ['the cause of an error', new Error('failed', { cause: new Error(`GET /x?sig=${PLANTED}`) })],
  ['one of several errors', new AggregateError([new Error(`Bearer ${PLANTED}`)], 'all failed')],
  ['a map', { fields: new Map([['password', PLANTED]]) }],
  ['the admin key', { adminKey: PLANTED, config: { databaseUrl: `postgres://a:${PLANTED}@b/c` } }],
];

async function logged(first: object | string): Promise<string> {
  let output = '';
  const log = createLogger({ level: 'trace', stream: { write: (line) => (output += line) } });
  if (typeof first === 'string') {
    log.info(first);
    log.warn({ detail: first }, first);
    log.child({ detail: first }).info('child');
  } else {
    log.error(first);
    log.info(first, `with ${JSON.stringify(first)}`);
    log.child({ nested: first }).info('child');
  }
  await log.flush();
  return output;
}

describe('secrets in the log', () => {
  it.each(HIDDEN)('%s never reaches the output', async (_, first) => {
    const output = await logged(first);
    expect(output).toContain('[redacted]');
    expect(output).not.toContain(PLANTED);
    for (const line of output.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});

describe('what is no secret', () => {
  it.each([
    { err: { code: 'ECONNREFUSED' } },
    { body: { error: { code: 'ResourceGroupNotFound', message: "Resource group 'a' could not be found." } } },
    { url: '/subscriptions/1/resourcegroups?$filter=a%20eq%201&$skiptoken=abc&api-version=2021-04-01' },
    { url: 'http://127.0.0.1:7400/v1.0/users/ada@vendor.example/events' },
    { partitionKey: 'p', keyName: 'k', tokenCount: 3, monkey: 'm', hasKey: true },
  ])('%j is logged as it is', async (fields) => {
    let output = '';
    const log = createLogger({ level: 'info', stream: { write: (line) => (output += line) } });
    log.info(fields);
    await log.flush();
    expect(JSON.parse(output)).toMatchObject(fields);
  });
});

describe('redactUrl', () => {
  it.each([
    ['https://h/p?a=1&sig=x%2B&b=2', 'https://h/p?a=1&sig=[redacted]&b=2'],
    ['/x?SIG=1', '/x?SIG=[redacted]'],
    ['/x?sig=', '/x?sig=[redacted]'],
    ['/x?code=1&state=2#id_token=3', '/x?code=[redacted]&state=2#id_token=[redacted]'],
    ['postgres://u:p%40@h:5432/d', 'postgres://u:[redacted]@h:5432/d'],
    ['https://u@h/a:b@c', 'https://u@h/a:b@c'],
    ['/%zz?%zz=1&key=2', '/%zz?%zz=1&key=[redacted]'],
    ['not an address', 'not an address'],
    ['/x?id_token_hint=opaque&state=1', '/x?id_token_hint=[redacted]&state=1'],
    [
      '/x?Code=a&REFRESH_TOKEN=b&client-assertion=c',
      '/x?Code=[redacted]&REFRESH_TOKEN=[redacted]&client-assertion=[redacted]',
    ],
    ['/x?c%6Fde=a&code[]=b&code%5B0%5D=c', '/x?c%6Fde=[redacted]&code[]=[redacted]&code%5B0%5D=[redacted]'],
    ['/x?refresh_token=a;b"c<d>e\\f=g&state=1', '/x?refresh_token=[redacted]&state=1'],
    ['/x?a=1;code=2', '/x?a=1;code=[redacted]'],
    ['/x?to=http%3A%2F%2Fa%2F%3Fcode%3Dsecret%26state%3D1', '/x?to=http%3A%2F%2Fa%2F%3Fcode%3D[redacted]%26state%3D1'],
    ['/x?to=%253Fclient_assertion%253Dsecret%2526a%253D1', '/x?to=%253Fclient_assertion%253D[redacted]%2526a%253D1'],
    ['/x?to=%3Fpage%3D2%26size%3D3', '/x?to=%3Fpage%3D2%26size%3D3'],
    ['', ''],
  ])('%s becomes %s', (url, redacted) => {
    expect(redactUrl(url)).toBe(redacted);
  });
});

describe('redactText', () => {
  it('cuts a text that is too long to be read in a log', () => {
    expect(redactText('a'.repeat(1_000_000)).length).toBeLessThan(20_000);
  });

  it('leaves text that is already redacted', () => {
    const once = redactText(`Authorization: Bearer ${PLANTED} password=${PLANTED}`);
    expect(redactText(once)).toBe(once);
  });
});
