import { isSecretName, isSecretParameter, REDACTED, redactText, redactUrl, SECRET_PARTS_HEADER } from './redact.ts';
import { withoutSecretMembers } from './secret-members.ts';

/** Headers by their names in lower case, without secrets. Takes names and values in turns, as Node's raw headers. */
export function redactHeaders(headers: readonly string[]): Record<string, string | string[]> {
  const shown = new Map<string, string[]>();
  const marked = new Set<string>();
  for (let n = 0; n < headers.length; n += 2) {
    const name = (headers[n] ?? '').toLowerCase();
    const value = headers[n + 1] ?? '';
    shown.set(name, [...(shown.get(name) ?? []), isSecretName(name) ? REDACTED : redactText(redactUrl(value))]);
    if (name === SECRET_PARTS_HEADER) for (const part of value.toLowerCase().split(',')) marked.add(part.trim());
  }
  const entries = [...shown].map(([name, values]): [string, string | string[]] => {
    const [first = '', ...others] = marked.has(name) ? values.map(() => REDACTED) : values;
    return [name, others.length === 0 ? first : [first, ...others]];
  });
  return Object.fromEntries(entries);
}

/** A body without secrets, by the rules of its media type; the body may be cut. */
export function redactBody(body: string, mediaType: string): string {
  if (/\bx-www-form-urlencoded\b/i.test(mediaType)) return redactForm(body);
  if (/json/i.test(mediaType) || /^\s*[[{"]/.test(body)) return withoutSecretMembers(body, redactMember);
  return redactText(/xml|html/i.test(mediaType) ? body.replace(ELEMENT, redactElement) : body);
}

/** Addresses of receivers, whose whole query may be secret, whatever its parameters are called. */
const RECEIVER = /^(?:endpoint|endpointBase|notification|lifecycleNotification|webhook|callback)_?url$/i;

function redactMember(text: string, name: string): string {
  if (RECEIVER.test(name)) return redactText(text.replace(/\?.*$/s, `?${REDACTED}`));
  // A document in a document, such as a body that an inbox has kept.
  return redactText(DOCUMENT.test(text) ? withoutSecretMembers(text, redactMember) : text);
}

const DOCUMENT = /^\s*[[{]/;

/** Unlike in prose, a value in a form extends to the next separator, whatever it contains. */
const redactForm = (body: string): string =>
  body
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      if (pair.length === name.length) return pair;
      return isSecretParameter(name) ? `${name}=${REDACTED}` : redactText(redactUrl(pair));
    })
    .join('&');

const ELEMENT = /<([\w:.-]+)((?:\s[^<>]*)?)>([^<]+)/g;

const redactElement = (element: string, name: string, attributes: string): string =>
  isSecretName(name.slice(name.indexOf(':') + 1)) ? `<${name}${attributes}>${REDACTED}` : element;
