import type { Answer } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { isSecretName, REDACTED, redactBody, SECRET_PARTS_HEADER, WHOLE_QUERY } from '../../kernel/telemetry/index.ts';
import { MOST_BODY_BYTES, MOST_INBOXES } from './bounds.ts';
import {
  type Behaviour,
  type Handshake,
  type Inbox,
  type InboxRequest,
  inboxes,
  inboxRequests,
  requestKey,
} from './collections.ts';
import { inboxErrors } from './errors.ts';
import { answerHandshake } from './handshake.ts';
import { isTotalCheckDue, makeRoom, makeRoomInAll } from './room.ts';

type Values = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string | string[]>>;
export interface Recorded {
  readonly answer: Answer;
  readonly delayMs: number;
}

type Kept = Omit<InboxRequest, 'number' | 'answered' | 'handshake'>;

/**
 * Stores a request and decides its answer in one transaction, so that numbers and failure counts are exact under concurrency. Returns
 * undefined if the inbox does not exist and must not be created.
 */
export async function record(
  call: Pick<Call, 'jar' | 'method' | 'path' | 'query' | 'headers' | 'receivedAt'>,
  name: string,
  body: Buffer,
  mayMake: boolean,
): Promise<Recorded | undefined> {
  const { method, query, headers } = call;
  const kept = whatIsKept(call, name, body);
  const decided = await call.jar.store.transact(async (tx) => {
    const inbox = mayMake ? await openInbox(tx, name, call.receivedAt) : (await tx.get(inboxes, name))?.value;
    if (!inbox) return undefined;
    const { behaviour = {} } = inbox;
    const handshake = answerHandshake({ method, query, headers, body }, behaviour.handshake);
    const fails = handshake === undefined && behaviour.fail !== undefined && inbox.failed < behaviour.fail.times;
    const answer = handshake?.answer ?? answerOf(behaviour, fails);
    const { delayMs = 0 } = behaviour;
    const request: InboxRequest = {
      ...kept,
      number: inbox.next,
      ...(handshake && { handshake: handshake.handshake }),
      answered: { status: answer.status, ...(delayMs > 0 && { delayMs }) },
    };
    await tx.put(inboxRequests, requestKey(name, inbox.next), request);
    const room = await makeRoom(tx, name, { kept: inbox.kept + 1, bytes: inbox.bytes + kept.size });
    const failed = inbox.failed + (fails ? 1 : 0);
    await tx.put(inboxes, name, { ...inbox, ...room, next: inbox.next + 1, lastAt: kept.at, failed });
    return { answer, delayMs, mustAddUp: isTotalCheckDue(inbox.bytes, room.bytes) };
  });
  if (decided?.mustAddUp) await makeRoomInAll(call.jar);
  return decided;
}

/** Loads the inbox, or creates it, and locks it until the transaction ends. */
export async function openInbox(tx: Tx, name: string, now: number): Promise<Inbox> {
  const found = await tx.get(inboxes, name);
  if (found) return found.value;
  await tx.lock(inboxes.name);
  const meanwhile = await tx.get(inboxes, name);
  if (meanwhile) return meanwhile.value;
  if ((await tx.count(inboxes)) >= MOST_INBOXES) throw inboxErrors.TooManyInboxes({ most: MOST_INBOXES });
  return { name, next: 1, kept: 0, bytes: 0, createdAt: now, lastAt: null, failed: 0 };
}

function answerOf({ fail, status = 200, headers, body }: Behaviour, fails: boolean): Answer {
  if (fails && fail) return { status: fail.status };
  return { status, ...(headers && { headers }), ...(body !== undefined && { body }) };
}

function whatIsKept(
  { jar, method, path, query, headers, receivedAt }: Parameters<typeof record>[0],
  inbox: string,
  bytes: Buffer,
): Kept {
  const { [SECRET_PARTS_HEADER]: marked, ...others } = headers;
  const parts = new Set(String(marked ?? '').split(','));
  const shown = withoutSecrets(query, () => parts.has(WHOLE_QUERY));
  const head = withoutSecrets(others, (name) => parts.has(name));
  const hidden = { query: shown.secrets, headers: head.secrets };
  const hasSecrets = Object.keys({ ...hidden.query, ...hidden.headers }).length > 0;
  const { body, bodyEncoding } = readable(bytes);
  const kept = {
    inbox,
    at: receivedAt,
    method,
    path,
    query: shown.values,
    headers: head.values,
    ...(hasSecrets && { secrets: jar.vault.seal(JSON.stringify(hidden)) }),
    body,
    bodyEncoding,
    bodyBytes: bytes.length,
    truncated: bytes.length > MOST_BODY_BYTES,
  };
  return { ...kept, size: Buffer.byteLength(JSON.stringify(kept)) };
}

/** The body as text if it is text, without a character that the size limit has cut. */
function readable(bytes: Buffer): Pick<InboxRequest, 'body' | 'bodyEncoding'> {
  const kept = bytes.subarray(0, MOST_BODY_BYTES);
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { body: decoder.decode(kept, { stream: bytes.length > kept.length }), bodyEncoding: 'utf8' };
  } catch {
    return { body: kept.toString('base64'), bodyEncoding: 'base64' };
  }
}

/** Separates the secret values from the others; all become text. */
function withoutSecrets(given: Values, isMarked: (name: string) => boolean): { values: Texts; secrets: Texts } {
  const entries = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string | string[]] => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]);
  const isSecret = (name: string): boolean => isSecretName(name) || name.toLowerCase() === 'code' || isMarked(name);
  return {
    values: Object.fromEntries(entries.map(([name, text]) => [name, isSecret(name) ? REDACTED : text])),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  };
}

export interface ShownRequest extends Omit<InboxRequest, 'number' | 'at' | 'secrets' | 'size' | 'handshake'> {
  readonly id: string;
  readonly at: string;
  readonly handshake: Handshake | null;
}

/** A kept request with redacted secrets. */
export function requestView(request: InboxRequest): ShownRequest {
  const { number, at, secrets, size, handshake, ...rest } = request;
  return {
    id: String(number),
    at: new Date(at).toISOString(),
    ...rest,
    handshake: handshake ?? null,
  };
}

/** For people who may only look: without codes and addresses with which a receiver gives its consent, and without client states. */
export function readersView(request: InboxRequest): ShownRequest {
  const { body, bodyEncoding, headers, handshake, ...rest } = requestView(request);
  const shown = bodyEncoding === 'utf8' ? redactBody(body, String(headers['content-type'] ?? '')) : body;
  return {
    ...rest,
    headers,
    bodyEncoding,
    body: shown,
    handshake: handshake && { ...handshake, ...(handshake.url !== undefined && { url: REDACTED }) },
  };
}

/** A kept request with its secrets, for a test in the process of the jar, which is the receiver. */
export function receivedView(jar: Pick<Jar, 'vault'>, request: InboxRequest): ShownRequest {
  const opened = openSecrets(jar, request.secrets);
  const { query, headers, ...rest } = requestView(request);
  return { ...rest, query: { ...query, ...opened.query }, headers: { ...headers, ...opened.headers } };
}

/** Secrets that were sealed with another jar's key (in an imported snapshot) stay redacted. */
function openSecrets({ vault }: Pick<Jar, 'vault'>, sealed: string | undefined): { query?: Texts; headers?: Texts } {
  if (sealed === undefined) return {};
  try {
    return JSON.parse(vault.open(sealed)) as { query?: Texts; headers?: Texts };
  } catch {
    return {};
  }
}
