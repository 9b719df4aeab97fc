import { control, dataOf } from '../../shared/api/control.ts';
import { tokenFor } from '../../shared/api/service.ts';
import { CURL, quoted } from '../../shared/format/shell.ts';
import type { Operation } from './operation.ts';

/** Who sends it: an account, nobody, or the session of the console. */
export type Sender =
  | { readonly kind: 'account'; readonly name: string }
  | { readonly kind: 'nobody' | 'session' | 'key' };

export interface Draft {
  /** By the names of parameters; an empty text is left out. */
  readonly values: Readonly<Record<string, string>>;
  /** Further headers, one in a line. */
  readonly headers: string;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly bytes: number;
  readonly ms: number;
  /** By which the request is found among those of the jar. */
  readonly clientRequestId: string;
  readonly isComplete: boolean;
}

const encoded = (value: string, isMany: boolean): string =>
  isMany ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);

/** The path with its query; parameters without a value stay as they are, for people to see. */
export function targetOf({ row, parameters }: Operation, { values }: Draft): string {
  let path = row.path;
  const pairs: string[] = [];
  for (const { name, in: place, isMany } of parameters) {
    const value = values[name] ?? '';
    if (value === '') continue;
    if (place === 'path') path = path.replaceAll(`{${name}}`, () => encoded(value, isMany));
    // The dollar of OData options is written as it is read.
    else if (place === 'query')
      pairs.push(`${encodeURIComponent(name).replace('%24', '$')}=${encodeURIComponent(value)}`);
  }
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

export const missingIn = ({ parameters }: Operation, { values }: Draft): readonly string[] =>
  parameters
    .filter(({ name, in: place, isRequired }) => (isRequired || place === 'path') && !values[name])
    .map(({ name }) => name);

function headersOf({ parameters, body }: Operation, draft: Draft): readonly (readonly [string, string])[] {
  const own = parameters.flatMap(({ name, in: place }) =>
    place === 'header' && draft.values[name] ? [[name, draft.values[name]] as const] : [],
  );
  const typed = draft.headers.split('\n').flatMap((line) => {
    const at = line.indexOf(':');
    return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
  const hasType = typed.some(([name]) => name.toLowerCase() === 'content-type');
  return [
    ...own,
    ...(body && draft.body !== '' && !hasType ? [['Content-Type', body.contentType] as const] : []),
    ...typed,
  ];
}

/** For a shell. The command line fetches the credential, so that none is in the text. */
export function curlOf(operation: Operation, draft: Draft, sender: Sender): string {
  const { row, keyHeader } = operation;
  const credential = {
    account: () =>
      `-H "Authorization: Bearer $(npx cloudjar token${sender.kind === 'account' && sender.name !== 'admin' ? ` --user '${sender.name}'` : ''})"`,
    session: () => '-H "Authorization: Bearer $(cat .cloudjar/admin.key)"',
    key: () => `-H "${keyHeader}: $(npx cloudjar keys ${row.service})"`,
    nobody: () => undefined,
  }[sender.kind]();
  return [
    `${CURL}${row.method === 'GET' ? '' : row.method === 'HEAD' ? ' --head' : ` -X ${row.method}`} ${quoted(location.origin + targetOf(operation, draft))}`,
    credential,
    ...headersOf(operation, draft).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    operation.body && draft.body !== '' ? `-d ${quoted(draft.body)}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' \\\n  ');
}

async function credentialOf({ row, keyHeader }: Operation, sender: Sender): Promise<Record<string, string>> {
  if (sender.kind === 'account') return { authorization: `Bearer ${await tokenFor(sender.name)}` };
  if (sender.kind !== 'key' || keyHeader === undefined) return {};
  const keys: Readonly<Record<string, string>> = await dataOf(control.GET('/_jar/keys'));
  return { [keyHeader]: keys[row.service] ?? '' };
}

/** More of an answer is not shown. */
const MOST_BYTES = 1_000_000;

/** Sends it, and reports the answer while it arrives: a stream of events has no end. */
export async function send(
  operation: Operation,
  draft: Draft,
  sender: Sender,
  signal: AbortSignal,
  tell: (answer: Answer) => void,
): Promise<void> {
  const { method } = operation.row;
  const clientRequestId = randomId();
  const credential = await credentialOf(operation, sender);
  const began = performance.now();
  const response = await fetch(targetOf(operation, draft), {
    method,
    headers: [
      ['client-request-id', clientRequestId],
      ['x-ms-client-request-id', clientRequestId],
      ...Object.entries(credential),
      ...headersOf(operation, draft).map(([name, value]): [string, string] => [name, value]),
    ],
    ...(operation.body && draft.body !== '' && method !== 'GET' && { body: draft.body }),
    credentials: sender.kind === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'manual',
    signal,
  });
  const answer = (body: string, bytes: number, isComplete: boolean): Answer => ({
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    body,
    bytes,
    ms: performance.now() - began,
    clientRequestId,
    isComplete,
  });
  let text = '';
  let bytes = 0;
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  tell(answer('', 0, reader === undefined));
  while (reader) {
    const { done, value } = await reader.read();
    if (value) {
      bytes += value.byteLength;
      if (text.length < MOST_BYTES) text += decoder.decode(value, { stream: true });
    }
    tell(answer(text, bytes, done));
    if (done) return;
  }
}

/** `randomUUID` exists only in secure contexts. */
function randomId(): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((each) => each.toString(16).padStart(2, '0'))
    .join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
