import type { Method } from '../../../kernel/http/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';

/** One request of a batch. */
export interface BatchItem {
  readonly id: string;
  readonly method: Method;
  /** Relative to the version, as sent. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without a body. */
  readonly body: unknown;
  /** Indexes of the requests that have to succeed before this one. */
  readonly dependsOn: readonly number[];
}

/** Requests in one batch. */
export const MOST_ITEMS = 20;
const LONGEST_ID = 200;
const LONGEST_URL = 16_000;
/** Characters of all headers of one request: as many as a separate request could have. */
const MOST_HEADER_CHARACTERS = 16_000;
const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Validates the requests of `{"requests": […]}`. A mistake here rejects the whole batch. */
export function readBatch(body: unknown): readonly BatchItem[] {
  if (!isObject(body)) throw wrong('body', 'must be an object');
  const { requests } = body;
  if (!Array.isArray(requests) || requests.length === 0) throw wrong('requests', 'must be an array of requests');
  if (requests.length > MOST_ITEMS)
    throw errors.MaximumValueExceeded({ count: requests.length, maximum: MOST_ITEMS }, { target: 'requests' });
  const indexes = new Map<string, number>();
  const heads = requests.map((each: unknown, index) => {
    const at = `requests[${index}]`;
    if (!isObject(each)) throw wrong(at, 'must be an object');
    const id = idOf(each.id, `${at}.id`);
    const key = id.toLowerCase();
    if (indexes.has(key))
      throw wrong(`${at}.id`, `'${id}' is already used by another request (ids are case-insensitive)`);
    indexes.set(key, index);
    return { each, at, id };
  });
  const items = heads.map(({ each, at, id }) => ({
    id,
    method: methodOf(each.method, `${at}.method`),
    url: urlOf(each.url, `${at}.url`),
    headers: headersOf(each.headers, `${at}.headers`),
    body: each.body === null ? undefined : each.body,
    dependsOn: dependenciesOf(each.dependsOn, `${at}.dependsOn`, indexes),
  }));
  checkCycles(items);
  return items;
}

/** Accepts numbers, since clients often send them as ids. */
function idOf(value: unknown, at: string): string {
  const id = typeof value === 'number' ? String(value) : value;
  if (typeof id !== 'string' || id === '') throw wrong(at, 'must be a non-empty string');
  if (id.length > LONGEST_ID) throw wrong(at, `has more than ${LONGEST_ID} characters`);
  return id;
}

function methodOf(value: unknown, at: string): Method {
  const method = METHODS.find((each) => typeof value === 'string' && each === value.toUpperCase());
  if (method) return method;
  throw wrong(at, `must be one of ${METHODS.join(', ')}`);
}

function urlOf(value: unknown, at: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw wrong(at, 'must be a non-empty string');
  if (value.length > LONGEST_URL) throw wrong(at, `has more than ${LONGEST_URL} characters`);
  return value.trim();
}

function headersOf(value: unknown, at: string): Record<string, string> {
  const headers: Record<string, string> = { __proto__: null as never };
  if (value === undefined || value === null) return headers;
  if (!isObject(value)) throw wrong(at, 'must be an object');
  let characters = 0;
  for (const [name, given] of Object.entries(value)) {
    // Checked first, since `String` would call members of an object.
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean')
      throw wrong(`${at}.${name.slice(0, 100)}`, 'must be a string');
    characters += name.length + String(given).length;
    if (characters > MOST_HEADER_CHARACTERS) throw wrong(at, `has more than ${MOST_HEADER_CHARACTERS} characters`);
    headers[name.toLowerCase()] = String(given);
  }
  return headers;
}

function dependenciesOf(value: unknown, at: string, indexes: ReadonlyMap<string, number>): readonly number[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MOST_ITEMS) throw wrong(at, 'must be an array of ids');
  return value.map((each: unknown, index) => {
    const id = typeof each === 'number' ? String(each) : each;
    if (typeof id !== 'string') throw wrong(`${at}[${index}]`, 'must be the id of a request');
    const found = indexes.get(id.toLowerCase());
    if (found === undefined)
      throw wrong(`${at}[${index}]`, `'${id.slice(0, 100)}' is not the id of a request in the batch`);
    return found;
  });
}

/** Repeatedly removes requests whose dependencies are all removed; the remaining ones form a cycle. */
function checkCycles(items: readonly Pick<BatchItem, 'id' | 'dependsOn'>[]): void {
  const left = new Set(items.keys());
  for (let before = -1; left.size !== before; ) {
    before = left.size;
    for (const index of left) if (!items[index]?.dependsOn.some((each) => left.has(each))) left.delete(index);
  }
  const [first] = left;
  if (first !== undefined) throw wrong(`requests[${first}].dependsOn`, `makes '${items[first]?.id}' depend on itself`);
}

const wrong = (target: string, reason: string): Error =>
  errors.BadRequest({ reason: `Invalid batch payload format: '${target}' ${reason}.` }, { target });
