import { isSecretName, REDACTED } from '../../kernel/telemetry/index.ts';

/** What services of the jar send to receivers for them to know the sender by, or to agree to be sent to. */
const SENT_SECRETS = new Set(['clientstate', 'validationcode', 'validationurl', 'validationtoken']);

const isSecret = (name: string): boolean => SENT_SECRETS.has(name.toLowerCase()) || isSecretName(name);

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;

/**
 * A body of JSON, or the beginning of one, with `[redacted]` for the texts that have a secret name; the same text where there are none. It is read string by
 * string, since kept bodies may be cut off, and strangers send them.
 */
export function withoutSecretMembers(body: string): string {
  let result = '';
  let done = 0;
  let before = { name: '', end: 0 };
  for (let start = body.indexOf('"'); start >= 0; start = body.indexOf('"', before.end)) {
    STRING.lastIndex = start;
    const found = STRING.exec(body)?.[0];
    const end = found === undefined ? body.length : start + found.length;
    const isValue = body.slice(before.end, start).trim() === ':';
    if (isValue && isSecret(before.name)) {
      result += `${body.slice(done, start)}"${REDACTED}"`;
      done = end;
    }
    if (found === undefined) break;
    before = { name: found.slice(1, -1), end };
  }
  return done === 0 ? body : result + body.slice(done);
}
