import { expect, test } from 'vitest';
import { redactBody, redactHeaders } from '../../../src/kernel/telemetry/redact-message.ts';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

test.each([
  ['Authorization', 'Bearer abc'],
  ['Proxy-Authorization', 'Basic abc'],
  ['Cookie', 'session=abc'],
  ['Set-Cookie', 'session=abc; Path=/'],
  ['Ocp-Apim-Subscription-Key', 'abc'],
  ['X-API-Token', 'abc'],
  ['x-functions-key', 'abc'],
  ['aeg-sas-key', 'abc'],
  ['aeg-sas-token', 'r=x&s=abc'],
  ['app-secret', 'abc'],
])('the header %s is hidden', (name, value) =>
  expect(redactHeaders([name, value])).toEqual({ [name.toLowerCase()]: '[redacted]' }),
);

test('other headers are shown, without the secrets in their values', () => {
  const shown = redactHeaders([
    ...['Accept', 'a/b', 'X-Many', '1', 'x-many', '2', 'Location', 'https://app/back?code=abc&state=1'],
    ...['Referer', 'https://me:pass@host/x?sig=abc#access_token=def', 'X-Hidden', 'abc'],
    ...['cloudjar-secret-parts', 'x-hidden,?'],
  ]);
  expect(shown).toEqual({
    accept: 'a/b',
    'x-many': ['1', '2'],
    location: 'https://app/back?code=[redacted]&state=1',
    referer: 'https://me:[redacted]@host/x?sig=[redacted]#access_token=[redacted]',
    'x-hidden': '[redacted]',
    'cloudjar-secret-parts': 'x-hidden,?',
  });
});

test.each([
  // Links that need no other credential.
  [
    '{"download_link":"https://a/b","upload_url":"https://a/c"}',
    JSON_TYPE,
    '{"download_link":"[redacted]","upload_url":"[redacted]"}',
  ],
  // JSON keeps its format, its numbers and its other members.
  ['{ "Password" : "a\\"b", "n": 1.50, "b": true }', JSON_TYPE, '{ "Password" : "[redacted]", "n": 1.50, "b": true }'],
  ['{"pass\\u0077ord":"abc"}', JSON_TYPE, '{"pass\\u0077ord":"[redacted]"}'],
  [
    '{"secret":{"file":"abc","more":["def"]},"x":"y"}',
    JSON_TYPE,
    '{"secret":{"file":"[redacted]","more":["[redacted]"]},"x":"y"}',
  ],
  ['{"key1":"abc","key2":"def"}', JSON_TYPE, '{"key1":"[redacted]","key2":"[redacted]"}'],
  ['{"token":true,"key":5,"secret":null}', JSON_TYPE, '{"token":true,"key":5,"secret":null}'],
  ['{"error":{"code":"NotFound"}}', JSON_TYPE, '{"error":{"code":"NotFound"}}'],
  [
    '{"grant_type":"authorization_code","code":"abc"}',
    JSON_TYPE,
    '{"grant_type":"authorization_code","code":"[redacted]"}',
  ],
  [
    '{"nextPageToken":"abc","invitation_token":"def"}',
    JSON_TYPE,
    '{"nextPageToken":"abc","invitation_token":"[redacted]"}',
  ],
  ['{"url":"https://h/x?sig=abc&a=1"}', JSON_TYPE, '{"url":"https://h/x?sig=[redacted]&a=1"}'],
  ['{"endpointUrl":"https://h/x?mine=abc"}', JSON_TYPE, '{"endpointUrl":"https://h/x?[redacted]"}'],
  ['{"profile":"{\\"bearerToken\\":\\"abc\\"}"}', JSON_TYPE, '{"profile":"{\\"bearerToken\\":\\"[redacted]\\"}"}'],
  ['["Endpoint=x;AccountKey=abc;Y=z"]', 'text/plain', '["Endpoint=x;AccountKey=[redacted];Y=z"]'],
  ['{"a":1}\n{"password":"abc"}\n', 'application/x-ndjson', '{"a":1}\n{"password":"[redacted]"}\n'],
  // A cut body.
  ['{"a":"b","password":"ab', JSON_TYPE, '{"a":"b","password":"[redacted]"'],
  ['{"secret":{"file":"ab', JSON_TYPE, '{"secret":{"file":"[redacted]"'],
  // Forms: a value extends to the next separator.
  ["client_id=me&client_secret=a'b,c;d e&scope=x", FORM, 'client_id=me&client_secret=[redacted]&scope=x'],
  ['grant_type=device_code&device_code=abc', FORM, 'grant_type=device_code&device_code=[redacted]'],
  ['code=abc&username=u&c%6Fde=abc', FORM, 'code=[redacted]&username=u&c%6Fde=[redacted]'],
  ['x=eyJhbGciOiJub25lIn0.e30.abc', FORM, 'x=[redacted]'],
  // Other texts.
  ['<k><Password>abc</Password><a>b</a></k>', 'application/xml', '<k><Password>[redacted]</Password><a>b</a></k>'],
  ['eyJhbGciOiJub25lIn0.e30.abc', 'text/plain', '[redacted]'],
  ['Authorization: Bearer abc\r\n\r\nhello', 'message/http', 'Authorization: [redacted]\r\n\r\nhello'],
  ['nothing to hide', 'text/plain', 'nothing to hide'],
])('%s as %s becomes %s', (body, mediaType, expected) => expect(redactBody(body, mediaType)).toBe(expected));
