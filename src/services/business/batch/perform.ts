import type { Answer, Method } from '../../../kernel/http/index.ts';
import { isJson, jsonReader } from '../api/body.ts';
import type { BusinessRequest } from '../api/request.ts';
import { DeadlinePassed, type Session } from '../api/session.ts';
import { errors } from '../errors.ts';
import { type Address, addressOf, type Reference, resolved } from './address.ts';
import type { BatchItem, ItemBody } from './plan.ts';

/** Answers one request of a batch like a single request. */
export type Dispatch = (session: Session, request: BusinessRequest) => Promise<Answer>;

/** Results of earlier requests of the batch. */
export interface Memory {
  readonly references: Map<string, Reference>;
  /** Ids of failed requests and change sets. */
  readonly failed: Set<string>;
}

export const emptyMemory = (): Memory => ({ references: new Map(), failed: new Set() });

/** A copy that can be discarded when a transaction rolls back. */
export const copyOf = ({ references, failed }: Memory): Memory => ({
  references: new Map(references),
  failed: new Set(failed),
});

export interface ItemContext {
  readonly dispatch: Dispatch;
  /** Headers of the batch, for requests that do not set them. */
  readonly inherited: Readonly<Record<string, string>>;
}

const METHODS: ReadonlySet<string> = new Set<Method>(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']);
const NESTED_BATCH = /^(?:\$|%24)batch(?:\/|$)/i;

/** Performs one request of a batch and records its reference; throws like a single request. */
export async function perform(
  session: Session,
  item: BatchItem,
  memory: Memory,
  { dispatch, inherited }: ItemContext,
): Promise<Answer> {
  if (session.jar.clock.now() >= session.deadline) throw new DeadlinePassed();
  const failed = item.dependsOn.find((name) => memory.failed.has(name));
  if (failed !== undefined) throw errors.FailedDependency({ dependency: failed.slice(0, 100) });
  const address = addressFor(item, memory, session.base);
  const headers = { ...inherited, ...item.headers };
  const ifMatch = headers['if-match'];
  if (ifMatch?.startsWith('$')) headers['if-match'] = memory.references.get(ifMatch.slice(1))?.etag ?? ifMatch;
  const read = bodyReader(item.body, headers['content-type']);
  const answer = await dispatch(session, {
    method: item.method as Method,
    ...address,
    headers,
    ...(item.body.kind === 'bytes' && { bytes: item.body.bytes }),
    get body() {
      return read();
    },
  });
  if (item.id !== undefined) memory.references.set(item.id, referenceTo(answer, address, session.base));
  return answer;
}

function addressFor({ method, url }: BatchItem, memory: Memory, base: string): Address {
  if (!METHODS.has(method)) {
    const allowed = [...METHODS].join(', ');
    throw errors.BadRequest_MethodNotAllowed({ method: method.slice(0, 50), resource: url.slice(0, 200), allowed });
  }
  const name = referredBy(url);
  if (name !== undefined && memory.failed.has(name)) throw errors.FailedDependency({ dependency: name.slice(0, 100) });
  const address = addressOf(resolved(url, memory.references), base);
  if (!NESTED_BATCH.test(address.path)) return address;
  throw errors.BadRequest({ reason: 'A batch cannot have another batch inside it.' }, { target: 'url' });
}

const referredBy = (url: string): string | undefined => /^\/?\$([^/?()]+)/.exec(url)?.[1];

/** JSON by default and for a JSON content type; any other body becomes bytes, which a JSON batch encodes in base64. */
function bodyReader(body: ItemBody, contentType: string | undefined): () => unknown {
  if (body.kind === 'none') return () => undefined;
  if (body.kind === 'bytes') return isJson(contentType) ? jsonReader(body.bytes) : () => body.bytes;
  const { value } = body;
  if (isJson(contentType) || typeof value !== 'string') return () => value;
  return () => Buffer.from(value, /^text\//i.test(contentType ?? '') ? 'utf8' : 'base64');
}

/** A created record is at the address in the answer; a record that was read or changed is at the requested address. */
function referenceTo({ headers = {}, body }: Answer, asked: Address, base: string): Reference {
  const etag = (body as { '@odata.etag'?: unknown } | null | undefined)?.['@odata.etag'];
  const { location } = headers;
  return {
    path: location === undefined ? asked.path : addressOf(location, base).path,
    etag: typeof etag === 'string' ? etag : headers.etag,
  };
}
