import { expect, test } from 'vitest';
import { withoutSecretMembers } from '../../../src/kernel/telemetry/secret-members.ts';

test.each([
  ['{"clientState":"abc","resource":"x"}', '{"clientState":"[redacted]","resource":"x"}'],
  ['{ "a": [ { "Client_Secret" : "a\\"b" } ] }', '{ "a": [ { "Client_Secret" : "[redacted]" } ] }'],
  [
    '[{"data":{"validationCode":"c","validationUrl":"u"}}]',
    '[{"data":{"validationCode":"[redacted]","validationUrl":"[redacted]"}}]',
  ],
  ['{"password":"cut o', '{"password":"[redacted]"'],
])('%s becomes %s', (body, expected) => expect(withoutSecretMembers(body)).toBe(expected));

test.each([
  '{"a":"password","b":"clientState"}',
  '["password","x"]',
  '{"password":5,"token":true,"secret":null}',
  'password',
  '"',
  '{"a":"\\',
  '',
])('%s stays as it is', (body) => expect(withoutSecretMembers(body)).toBe(body));

test('takes time in proportion to the body, whatever strangers send', () => {
  const parts = 100_000;
  for (const body of ['"'.repeat(parts), '\\"'.repeat(parts), '"a":'.repeat(parts), `"a"${' '.repeat(parts)}"b"`])
    expect(withoutSecretMembers(body)).toBe(body);
  expect(withoutSecretMembers('{"token":"x"}'.repeat(parts))).toBe('{"token":"[redacted]"}'.repeat(parts));
});
