import { isSecretName, isTokenRequest, REDACTED } from './redact.ts';

/** Members with which senders and receivers of events authenticate themselves or ask for consent; not secret in a log line. */
const SENT_SECRETS = new Set([
  'clientstate',
  'validationcode',
  'validationresponse',
  'validationurl',
  'validationtoken',
]);

/** Tokens that are not a credential: the place in a list, or the mark of a request. */
const OTHER_TOKEN = /(?:next|page|skip|delta|sync|change|continuation|idempotency|cancellation)[_-]?token$/i;

function isSecretMember(name: string): boolean {
  return (
    SENT_SECRETS.has(name.toLowerCase()) || isSecretName(name) || (/token$/i.test(name) && !OTHER_TOKEN.test(name))
  );
}

/** Redacts a text in a body; its name is empty in lists. */
type RedactOther = (text: string, name: string) => string;

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const COLON = /\s*:/y;

/**
 * Redacts the values of secret members in a JSON body, including all texts in a secret object or list; returns the same text if there are
 * none. `redactOther` is applied to all other values that are texts. Scans string by string instead of parsing, because kept bodies may be
 * truncated and come from anonymous senders.
 */
export function withoutSecretMembers(body: string, redactOther?: RedactOther): string {
  const isSecret = (name: string): boolean => isSecretMember(name) || (name === 'code' && isTokenRequest(body));
  let result = '';
  let done = 0;
  let depth = 0;
  /** The depth at which a secret object or list began. */
  let hiddenFrom: number | undefined;
  let before = { name: '', end: 0 };
  for (let start = body.indexOf('"'); start >= 0; start = body.indexOf('"', before.end)) {
    STRING.lastIndex = start;
    const found = STRING.exec(body)?.[0];
    const end = found === undefined ? body.length : start + found.length;
    const between = body.slice(before.end, start).trim();
    const opens = /^:\s*[[{]/.test(between);
    if (opens && hiddenFrom === undefined && isSecret(before.name)) hiddenFrom = depth;
    depth += depthOf(between);
    if (hiddenFrom !== undefined && depth <= hiddenFrom) hiddenFrom = undefined;
    COLON.lastIndex = end;
    const isName = found !== undefined && COLON.test(body);
    const isHidden = hiddenFrom !== undefined ? !isName : between === ':' && isSecret(before.name);
    const given = found ?? body.slice(start);
    const shown = isHidden
      ? `"${REDACTED}"`
      : isName || !redactOther
        ? given
        : otherValue(given, redactOther, between === ':' ? before.name : '');
    if (shown !== given) {
      result += body.slice(done, start) + shown;
      done = end;
    }
    if (found === undefined) break;
    before = { name: isName ? textOf(found) : '', end };
  }
  return done === 0 ? body : result + body.slice(done);
}

function depthOf(punctuation: string): number {
  let depth = 0;
  for (const sign of punctuation) {
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return depth;
}

function otherValue(given: string, redactOther: RedactOther, name: string): string {
  const text = textOf(given);
  const shown = redactOther(text, name);
  return shown === text ? given : JSON.stringify(shown);
}

/** The text of a string in JSON, which may be cut or not valid. */
function textOf(given: string): string {
  if (!given.includes('\\') && given.length > 1 && given.endsWith('"')) return given.slice(1, -1);
  try {
    return String(JSON.parse(given));
  } catch {
    return given.replace(/^"|"$/g, '');
  }
}
