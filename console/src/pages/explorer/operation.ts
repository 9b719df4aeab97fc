import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import {
  exampleOf,
  fieldOf,
  isMembers,
  type Property,
  propertiesOf,
  type Schema,
  type Schemas,
} from '../../shared/form/schema.ts';
import { literal } from '../../shared/list/filter.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly about: string | undefined;
  /** The values that the document names; a choice if there are any. */
  readonly choices: readonly string[];
  /** Slashes of its value are parts of the path. */
  readonly isMany: boolean;
}

export interface Body {
  readonly contentType: string;
  readonly isRequired: boolean;
  /** For a form; empty if the schema is no object. */
  readonly properties: readonly Property[];
  readonly schemas: Schemas;
  readonly example: unknown;
}

export interface Operation {
  readonly row: RowOf<'/_jar/docs/operations'>;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  /** The header that a security scheme with a key of its own wants. */
  readonly keyHeader: string | undefined;
  readonly answers: readonly { readonly status: string; readonly about: string }[];
}

interface DocumentPart {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: {
    readonly schemas?: Schemas;
    readonly securitySchemes?: Readonly<Record<string, { readonly type: string; readonly name?: string }>>;
  };
}

/** Null if there is no such operation. */
export const useOperation = (id: string) => useData(['operation', id], (signal) => readOperation(id, signal));

async function readOperation(id: string, signal: AbortSignal): Promise<Operation | null> {
  const query = { $filter: `id eq ${literal(id)}` };
  const [row] = (await dataOf(control.GET('/_jar/docs/operations', { params: { query }, signal }))).value;
  if (!row) return null;
  if (!row.described) return withoutDocument(row);
  const part = (await dataOf(
    control.GET('/_jar/openapi.json', { params: { query: { operation: id } }, signal }),
  )) as unknown as DocumentPart;
  const operation = Object.values(Object.values(part.paths)[0] ?? {})[0] ?? {};
  const { schemas = {}, securitySchemes = {} } = part.components;
  const key = row.credentials.map((name) => securitySchemes[name]).find((scheme) => scheme?.type === 'apiKey');
  return {
    row,
    parameters: listOf(operation.parameters).map((each) => parameterOf(each, schemas)),
    body: bodyOf(operation.requestBody, schemas),
    keyHeader: row.credentials.includes('bearer') ? undefined : key?.name,
    answers: Object.entries(isMembers(operation.responses) ? operation.responses : {}).map(([status, answer]) => ({
      status,
      about: isMembers(answer) && typeof answer.description === 'string' ? answer.description : '',
    })),
  };
}

/** Operations behind a route that accepts any path are only named: their body is whatever the caller sends. */
function withoutDocument(row: Operation['row']): Operation {
  const names = [...row.path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  return {
    row,
    parameters: names.map((name) => ({
      name,
      in: 'path',
      isRequired: true,
      about: undefined,
      choices: [],
      isMany: false,
    })),
    body: /^(POST|PUT|PATCH)$/.test(row.method)
      ? { contentType: JSON_TYPE, isRequired: false, properties: [], schemas: {}, example: {} }
      : undefined,
    keyHeader: undefined,
    answers: [],
  };
}

export const JSON_TYPE = 'application/json';

const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isMembers) : []);

function parameterOf({ name, in: place, required, description, schema, ...rest }: Schema, schemas: Schemas): Parameter {
  const field = isMembers(schema) ? fieldOf(schema, schemas) : undefined;
  return {
    name: String(name),
    in: place === 'query' || place === 'header' ? place : 'path',
    isRequired: required === true,
    about: typeof description === 'string' ? description : field?.about,
    choices: field?.kind === 'choice' ? field.choices : field?.kind === 'boolean' ? ['true', 'false'] : [],
    isMany: rest['x-ms-skip-url-encoding'] === true,
  };
}

function bodyOf(requestBody: unknown, schemas: Schemas): Body | undefined {
  if (!isMembers(requestBody) || !isMembers(requestBody.content)) return undefined;
  const [contentType = JSON_TYPE, content] = Object.entries(requestBody.content)[0] ?? [];
  const schema = isMembers(content) && isMembers(content.schema) ? content.schema : undefined;
  return {
    contentType,
    isRequired: requestBody.required === true,
    properties: schema ? propertiesOf(schema, schemas) : [],
    schemas,
    example: schema ? exampleOf(schema, schemas) : {},
  };
}
