import { isObject, jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import type { BatchItem, BatchStep } from './plan.ts';

type Members = Readonly<Record<string, unknown>>;

/** Enough for a hundred requests with nested lines. */
const BATCH_BOUNDS = { names: 50_000, values: 100_000 };

/** Reads the steps of `{"requests": […]}`. */
export function readJsonBatch(bytes: Buffer): BatchStep[] {
  const body = parsed(bytes);
  if (!isObject(body) || !Array.isArray(body.requests)) throw wrong('requests', 'must be a list of requests');
  const known = new Set<string>();
  const steps: BatchStep[] = [];
  let open: { readonly id: string; readonly items: BatchItem[] } | undefined;
  for (const [index, each] of (body.requests as unknown[]).entries()) {
    const at = `requests[${index}]`;
    if (!isObject(each)) throw wrong(at, 'must be an object');
    const group = optionalName(each, 'atomicityGroup', at);
    const item = readItem(each, at, known);
    if (group === undefined) {
      steps.push({ kind: 'single', item });
      open = undefined;
    } else if (open?.id === group) open.items.push(item);
    else {
      if (known.has(group))
        throw wrong(
          `${at}.atomicityGroup`,
          `'${short(group)}' is taken; the requests of a group must follow one another`,
        );
      open = { id: group, items: [item] };
      steps.push({ kind: 'changeSet', ...open });
      known.add(group);
    }
    if (item.id !== undefined) known.add(item.id);
  }
  return steps;
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, BATCH_BOUNDS);
  } catch (cause) {
    throw errors.BadRequest({ reason: jsonMistake(cause, 'The batch') }, { cause });
  }
}

function readItem(each: Members, at: string, known: ReadonlySet<string>): BatchItem {
  const id = optionalName(each, 'id', at);
  if (id !== undefined && known.has(id)) throw wrong(`${at}.id`, `'${short(id)}' is taken by another request`);
  const dependsOn = namesIn(each.dependsOn, `${at}.dependsOn`);
  const unmet = dependsOn.find((name) => !known.has(name));
  if (unmet !== undefined) throw wrong(`${at}.dependsOn`, `'${short(unmet)}' is not an earlier request or group`);
  const { body } = each;
  return {
    id,
    method: text(each, 'method', at).toUpperCase(),
    url: text(each, 'url', at),
    headers: headersIn(each.headers, `${at}.headers`),
    body: body === undefined || body === null ? { kind: 'none' } : { kind: 'value', value: body },
    dependsOn,
  };
}

function text(each: Members, name: string, at: string): string {
  const value = each[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw wrong(`${at}.${name}`, 'must be a text that is not empty');
  return value.trim();
}

/** Clients often send a number instead of a text; it is accepted. */
function optionalName(each: Members, name: string, at: string): string | undefined {
  const value = each[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') throw wrong(`${at}.${name}`, 'must be a text that is not empty');
  return value;
}

function namesIn(value: unknown, at: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(at, 'must be a list of ids');
  return value.map((each: unknown, index) => {
    if (typeof each === 'string' || typeof each === 'number') return String(each);
    throw wrong(`${at}[${index}]`, 'must be an id');
  });
}

function headersIn(value: unknown, at: string): Record<string, string> {
  const headers: Record<string, string> = { __proto__: null as never };
  if (value === undefined || value === null) return headers;
  if (!isObject(value)) throw wrong(at, 'must be an object');
  for (const [name, given] of Object.entries(value)) {
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') {
      throw wrong(`${at}.${short(name)}`, 'must be a text');
    }
    headers[name.toLowerCase()] = String(given);
  }
  return headers;
}

const short = (name: string): string => name.slice(0, 100);

const wrong = (target: string, reason: string): Error =>
  errors.BadRequest({ reason: `The batch cannot be read: '${target}' ${reason}.` }, { target });
