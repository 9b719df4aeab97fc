import { isObject } from '../../kernel/values/index.ts';
import type { CatalogApi } from './catalog.ts';
import { type Schemas, schemaText } from './schema-text.ts';

/** The operations of an OpenAPI document as rows of a page. */

export interface ParameterRow {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly type: string;
  readonly about: string;
}

export interface BodyRow {
  /** A status, or `default` for all other errors. */
  readonly status: string;
  readonly about: string;
  readonly type: string;
  readonly schema: string | undefined;
}

export interface OperationRow {
  /** The anchor in the page's address. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly group: string;
  readonly parameters: readonly ParameterRow[];
  readonly body: BodyRow | undefined;
  readonly answers: readonly BodyRow[];
  /** Names of the accepted security schemes, one of which is enough; empty if no credential is needed. */
  readonly credentials: readonly string[];
  /** Behind a route that accepts any path, and therefore not in the document. */
  readonly isCovered: boolean;
}

type Members = Readonly<Record<string, unknown>>;

export function operationRows({ document, covered }: CatalogApi): readonly OperationRow[] {
  const { schemas = {}, responses = {} } = document.components as { schemas?: Schemas; responses?: Members };
  const fallback = document.security.flatMap((each) => Object.keys(each));
  const declared = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      rowOf(method, path, operation as Members, { schemas, responses, fallback }),
    ),
  );
  const seen = new Set(declared.map(({ id }) => id));
  const further = covered.map(({ method, path, operation, summary }): OperationRow => {
    const id = uniqueId(`${operation}_${method}`, seen);
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name));
    const rest = { body: undefined, answers: [], credentials: fallback };
    return { id, method, path, summary, group: groupOf(path, id), parameters, ...rest, isCovered: true };
  });
  return [...declared, ...further].sort((a, b) => compare(a.group, b.group) || compare(a.path, b.path));
}

function uniqueId(wanted: string, seen: Set<string>): string {
  let id = wanted;
  for (let count = 2; seen.has(id); count++) id = `${wanted}_${count}`;
  seen.add(id);
  return id;
}

interface Context {
  readonly schemas: Schemas;
  readonly responses: Members;
  readonly fallback: readonly string[];
}

function rowOf(method: string, path: string, operation: Members, context: Context): OperationRow {
  const { operationId, summary, security, parameters, requestBody, responses } = operation;
  const id = String(operationId);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: String(summary ?? ''),
    group: groupOf(path, id),
    parameters: list(parameters).map((each) => parameterRow(each, context)),
    body: isObject(requestBody)
      ? bodyRow(requestBody.required === true ? 'required' : '', requestBody, context)
      : undefined,
    answers: Object.entries(isObject(responses) ? responses : {}).map(([status, answer]) =>
      bodyRow(status, resolved(answer, context), context),
    ),
    credentials: Array.isArray(security) ? list(security).flatMap((each) => Object.keys(each)) : context.fallback,
    isCovered: false,
  };
}

const list = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

function resolved(answer: unknown, { responses }: Context): Members {
  if (!isObject(answer)) return {};
  const name = typeof answer.$ref === 'string' ? (answer.$ref.split('/').at(-1) ?? '') : undefined;
  const target = name === undefined ? answer : responses[name];
  return isObject(target) ? target : {};
}

function parameterRow({ name, in: place, required, schema, description }: Members, { schemas }: Context): ParameterRow {
  return {
    name: String(name),
    in: String(place),
    required: required === true,
    type: schemaText(schema, schemas),
    about: typeof description === 'string' ? description : '',
  };
}

const pathParameter = (name: string): ParameterRow => ({ name, in: 'path', required: true, type: 'string', about: '' });

function bodyRow(status: string, { description, content }: Members, { schemas }: Context): BodyRow {
  const [type = '', shape] = isObject(content) ? (Object.entries(content)[0] ?? []) : [];
  const schema = isObject(shape) && shape.schema !== undefined ? schemaText(shape.schema, schemas) : undefined;
  return { status, about: typeof description === 'string' ? description : '', type, schema };
}

/** Path segments that say where an API is, not what an operation is about. */
const PLACES = new Set([
  'api',
  'preview',
  'accounts',
  'me',
  'users',
  'myorg',
  'beta',
  '_jar',
  'text',
  'translator',
  'scim',
]);

/**
 * The heading of an operation: the first path segment that is neither a place nor a version; for the management API, the first part of the
 * operation's name.
 */
function groupOf(path: string, id: string): string {
  if (/^\/(?:subscriptions|providers|tenants|\{scope\})(?:\/|$)/.test(path)) return id.split('_', 1)[0] ?? '';
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'));
  const named = words.find((word) => !PLACES.has(word) && !/^v?\d/.test(word)) ?? words.at(-1) ?? '/';
  return named.replace(/\(.*$/, '');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
