import type { operations } from '../../shared/api/control.ts';
import { CURL } from '../../shared/format/shell.ts';

export type RequestDocument = operations['Jar_GetRequest']['responses'][200]['content']['application/json'];

const REDACTED = '[redacted]';

/** Headers that curl sends itself, or that belong to the connection. */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'te',
  'upgrade',
  'keep-alive',
  'cloudjar-repeats',
]);

/** Headers that browsers add, which say nothing about the request. */
const OF_BROWSERS = /^(sec-|accept-encoding$|accept-language$|user-agent$|cookie$|dnt$|cache-control$|pragma$)/;

/** The request as a shell command. Secrets are not in it: the command line of the jar fetches them when it runs. */
export function curlOf(request: RequestDocument, origin: string): string {
  const { method, path = '/', request: message } = request;
  const headers = Object.entries(message?.headers ?? {}).filter(([name]) => !OWN.has(name) && !OF_BROWSERS.test(name));
  const parts = [
    `${CURL}${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`} ${quoted(origin + path)}`,
    ...headers.flatMap(([name, value]) => [value].flat().map((each) => `-H ${headerOf(request, name, each)}`)),
    ...(message?.body === undefined ? [] : [`--data-raw ${quoted(message.body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Why the command does not do exactly what the request did. */
export function lossOf({ request: message }: RequestDocument): string | undefined {
  if (!message) return 'The headers and the body of this request are no longer kept.';
  if (message.bodyCut) return `Only the beginning of the body of ${message.bodyBytes} bytes is kept.`;
  if (message.bodyOmitted !== undefined) return `The body is not in the command: ${OMITTED[message.bodyOmitted]}.`;
  if (message.body?.includes(REDACTED)) return `Replace ${REDACTED} by the secrets of the body.`;
  return undefined;
}

export const OMITTED = {
  binary: 'it is not text',
  stream: 'it was a stream, which is not kept',
  unread: 'the jar answered before it read the body',
  secret: 'it is a secret',
} as const;

function headerOf({ service }: RequestDocument, name: string, value: string): string {
  if (value !== REDACTED) return quoted(`${name}: ${value}`);
  if (name === 'authorization')
    return service === 'control'
      ? '"authorization: Bearer $(cat .cloudjar/admin.key)"'
      : '"authorization: Bearer $(npx cloudjar token)"';
  if (/(^x-api-token|subscription-key)$/.test(name)) return `"${name}: $(npx cloudjar keys ${service})"`;
  return quoted(`${name}: ${REDACTED}`);
}

/** For a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./?&-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
