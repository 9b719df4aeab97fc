import { isSecretName, REDACTED } from '../../kernel/telemetry/index.ts';

/** Members that services of the jar send to receivers to authenticate themselves or to ask for consent. */
const SENT_SECRETS = new Set(['clientstate', 'validationcode', 'validationurl', 'validationtoken']);

const isSecret = (name: string): boolean => SENT_SECRETS.has(name.toLowerCase()) || isSecretName(name);

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;

/**
 * Redacts the values of secret members in a JSON body; returns the same text if there are none. Scans string by string instead of parsing,
 * because kept bodies may be truncated and come from anonymous senders.
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
