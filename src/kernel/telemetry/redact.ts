/**
 * Sent with requests to the jar's own inboxes: the names of headers whose values are secret although their names do not suggest it, and `?`
 * if all values of the query are secret. Other senders can only hide parts of their own requests with it.
 */
export const SECRET_PARTS_HEADER = 'cloudjar-secret-parts';
export const WHOLE_QUERY = '?';

/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** Compared in lower case without punctuation: `client_secret`, `clientSecret` and `Client-Secret` are the same name. */
const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xapitoken',
  'xmsauthorizationauxiliary',
  'xfunctionskey',
  'xgitlabtoken',
  'xvaulttoken',
  'xjwtassertion',
  'sharedaccesssignature',
  'passwd',
  'xamzsignature',
  'xgoogsignature',
  'ocpapimsubscriptionkey',
  'aegsastoken',
  'sbhctoken',
  'servicebusauthorization',
  'key',
  'key1',
  'key2',
  'sas',
  'sig',
  'signature',
  'token',
  'assertion',
  'clientassertion',
  'idtokenhint',
  'codeverifier',
  'devicecode',
  'protectedsettings',
  'activationurl',
  'downloadlink',
  'invitationid',
  'externallink',
  'signeduri',
  'uploadurl',
  'pwd',
  'credential',
  'credentials',
]);

const SECRET_ENDINGS =
  /(?:password|passphrase|secret|connectionstring|accesstoken|refreshtoken|idtoken|apitoken|authtoken|securitytoken|bearertoken|apikey|adminkey|saskey|accesskey|accountkey|sharedkey|privatekey|subscriptionkey|integrationkey|sastoken|sessiontoken|oauthtoken|aadtoken|tokenvalue|securevalue|plaintext|workspacekey|instrumentationkey|secretkey|keyjson|authorizationcode)$/;

const KNOWN_NAMES_LIMIT = 2_000;
const knownNames = new Map<string, boolean>();

/** Whether a value with this name is secret, in a header, a field, a query or a connection string. */
export function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const isSecret = SECRET_NAMES.has(plain) || SECRET_ENDINGS.test(plain);
  if (knownNames.size < KNOWN_NAMES_LIMIT && name.length < 100) knownNames.set(name, isSecret);
  return isSecret;
}

/**
 * An authorization code is a secret, but an error code is the most useful word of a log line. In a URL, `code` is an authorization code.
 */
export function isSecretParameter(encodedName: string): boolean {
  if (PLAIN_NAME.test(encodedName)) return encodedName.toLowerCase() === 'code' || isSecretName(encodedName);
  // Some programs send lists as `code[]` or `code[0]`.
  const [name = ''] = decode(encodedName).split(/(?<=.)\[/s, 1);
  return name.trim().toLowerCase() === 'code' || isSecretName(name);
}

const PLAIN_NAME = /^[\w-]+$/;

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Redacts the password of the user and the values of secret parameters in a URL, in the query and in the fragment, where the implicit flow
 * returns tokens. Accepts any text, since logged addresses are often not valid.
 */
export function redactUrl(url: string): string {
  // Fast path: most logged addresses have neither parameters nor anything encoded.
  if (!/[=%@]/.test(url)) return url;
  // A password is followed by `@`, and a URL within a parameter has its punctuation encoded.
  if (!/[%@]/.test(url)) return redactValuesOfUrl(url);
  const withoutPassword = url.replace(USER_PASSWORD, `$1:${REDACTED}@`).replace(INNER_PASSWORD, `$1$2${REDACTED}$3`);
  return redactInner(redactValuesOfUrl(withoutPassword));
}

/** In a URL, unlike in prose, a value extends to the next separator, whatever it contains. */
function redactValuesOfUrl(url: string): string {
  let result = '';
  let done = 0;
  for (const match of url.matchAll(PARAMETER_NAME)) {
    if (match.index < done || !isSecretParameter(match[1] ?? '')) continue;
    const start = match.index + match[0].length;
    URL_VALUE.lastIndex = start;
    result += url.slice(done, start) + REDACTED;
    done = start + (URL_VALUE.exec(url)?.[0].length ?? 0);
  }
  return done === 0 ? url : result + url.slice(done);
}

/** A URL in a parameter of another URL is encoded, including the names and values of its own parameters. */
function redactInner(text: string): string {
  return text.replace(INNER_PARAMETER, (pair: string, separator: string, name: string, equals: string) =>
    isSecretParameter(name) ? `${separator}${name}${equals}${REDACTED}` : pair,
  );
}

function redactParameter(pair: string, separator: string, name: string): string {
  return isSecretParameter(name) ? `${separator}${name}=${REDACTED}` : pair;
}

// These patterns run on untrusted text, so each starts at a position that bounds its search: no input can make them scan the same range
// repeatedly.
/** Also without a scheme, as in a path built from a URL: `//me:password@host`. */
const USER_PASSWORD = /((?<![^:\s'"(])\/\/[^/?#@\s:"]*):[^/?#\s"]*@/g;
/** The same in a URL that is a parameter of another one, with its punctuation encoded once or several times. */
const INNER_PASSWORD =
  /((?::|%(?:25){0,3}3a)(?:\/|%(?:25){0,3}2f){2}(?:(?!%(?:25){0,3}(?:2f|3f|23|40|3a))[^/?#&@\s:"])*)(:|%(?:25){0,3}3a)(?:(?!%(?:25){0,3}(?:2f|3f|23))[^/?#&\s"])*(@|%(?:25){0,3}40)/gi;
const PARAMETER = /([?&#;])([^?&#;=\s"]+)=[^&#;\s"<>\\]*/g;
const PARAMETER_NAME = /[?&#;]([^?&#;=\s]+)=/g;
const URL_VALUE = /[^&#\s]*/y;
const INNER_PARAMETER =
  /(%(?:25){0,3}(?:3f|26|23|3b))((?:(?!%(?:25){0,3}(?:3d|3f|26|23|3b))[^?&#;=\s"])+)(%(?:25){0,3}3d)(?:(?!%(?:25){0,3}(?:26|23))[^&#;\s"<>\\])*/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
const HEADER_LINE = /(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie)(:\s*)[^\r\n"]+/gi;
const SCHEME_AND_TOKEN =
  /(?<!\w)(Bearer|Basic|SharedAccessSignature|SharedKey|Digest|Negotiate)\s+[^\s"',;]+(?:&[^\s"']*)?/gi;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{5,}\.[\w.-]+/g;
const FORM_CODE = /(^|[?&])(code=)[^&\s"]+/g;
/** `password=`, `"password": `, `AccountKey=` */
const NAME_BEFORE_VALUE = /(?<![\w.$-])([\w.$-]+)(?:\\*["'])?\s*[:=]\s*/g;
/**
 * In quoted JSON, all quotes of one level have the same number of backslashes, which distinguishes the end of a value from a quote within
 * it.
 */
const VALUE =
  /(?<escapes>\\*)"(?:[\s\S]*?(?<!\\)\k<escapes>"|[\s\S]*)|'[^']*'?|\[redacted\]|\[[^\]]*\]?|[^\s&;,"'}\]]+/y;
const TOKEN_REQUEST = /grant_type|redirect_uri|code_verifier/;

/** Whether `code` in this text is an authorization code, and not the code of an error. */
export const isTokenRequest = (text: string): boolean => TOKEN_REQUEST.test(text);

const MAX_TEXT_LENGTH = 16_384;

/** Redacts everything that looks like a secret in prose, a body or a message, and truncates long text. */
export function redactText(text: string): string {
  // Fast path: a single word that is neither a pair nor a token contains no secret; most logged text is such a word.
  if (!/[\s=:]|eyJ/.test(text)) return cut(text);
  const withoutTokens = redactInner(cut(text))
    .replace(PRIVATE_KEY, REDACTED)
    .replace(USER_PASSWORD, `$1:${REDACTED}@`)
    .replace(INNER_PASSWORD, `$1$2${REDACTED}$3`)
    .replace(PARAMETER, redactParameter)
    .replace(HEADER_LINE, `$1$2${REDACTED}`)
    .replace(SCHEME_AND_TOKEN, `$1 ${REDACTED}`)
    .replace(JSON_WEB_TOKEN, REDACTED)
    .replace(FORM_CODE, `$1$2${REDACTED}`);
  return redactNamedValues(withoutTokens);
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)} [cut]` : text;
}

function redactNamedValues(text: string): string {
  const isTokenRequest = TOKEN_REQUEST.test(text);
  let result = '';
  let done = 0;
  for (const match of text.matchAll(NAME_BEFORE_VALUE)) {
    const name = match[1] ?? '';
    const start = match.index + match[0].length;
    if (start < done || !(isSecretName(name) || (isTokenRequest && name === 'code'))) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined || value === REDACTED || isSchemeBeforeRedacted(value)) continue;
    const quote = /^\\*["']/.exec(value)?.[0] ?? '';
    result += text.slice(done, start) + quote + REDACTED + quote;
    done = start + value.length;
  }
  return result + text.slice(done);
}

/** In `authorization: Bearer [redacted]`, the secret has already been removed. */
function isSchemeBeforeRedacted(value: string): boolean {
  return /^(?:Bearer|Basic|SharedAccessSignature|SharedKey|Digest|Negotiate)$/i.test(value);
}

const MAX_DEPTH = 8;
const MAX_ITEMS = 200;
const OAUTH_COMPANIONS = ['grant_type', 'redirect_uri', 'client_id', 'state', 'session_state', 'code_verifier'];

/** Returns a copy without secrets, limited in depth and breadth, which later changes of the original do not affect. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return redactList(value, depth);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  // Detected by its tag: referring to the class Headers would load all of fetch with the first line.
  const tag = Reflect.get(value, Symbol.toStringTag);
  if (typeof tag === 'string') {
    if (tag === 'URL') return redactUrl(String(value));
    if (tag === 'Set') return redactList([...(value as Set<unknown>)], depth);
    if (tag === 'Map' || tag === 'Headers' || tag === 'URLSearchParams') {
      return redactObject(Object.fromEntries(value as Iterable<[string, unknown]>), depth);
    }
  }
  return value instanceof Date ? value.toJSON() : redactObject(value, depth);
}

function redactList(items: readonly unknown[], depth: number): unknown[] {
  const kept = items.slice(0, MAX_ITEMS);
  // Raw headers of Node: name, value, name, value.
  return kept.map((item, index) => {
    const before = kept[index - 1];
    const isSecret = index % 2 === 1 && typeof before === 'string' && typeof item === 'string' && isSecretName(before);
    return isSecret ? REDACTED : redactValue(item, depth + 1);
  });
}

function redactObject(value: object, depth: number): Record<string, unknown> {
  const isTokenRequest = OAUTH_COMPANIONS.some((name) => name in value);
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value).slice(0, MAX_ITEMS)) {
    const isSecret = isSecretName(name) || (isTokenRequest && name === 'code');
    // Numbers and booleans are not secrets: `{ token: true }` only says that there is one. Objects are redacted recursively.
    const hides = isSecret && (typeof field === 'string' || Array.isArray(field) || ArrayBuffer.isView(field));
    copy[name] = hides ? REDACTED : redactValue(field, depth + 1);
  }
  return copy;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: error.stack === undefined ? undefined : redactText(error.stack),
    ...redactObject({ ...error }, depth),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: redactList(error.errors, depth) } : {}),
  };
}
