import type { TSchema } from 'typebox';
import type { ApiFamily, CommonParameter, Credential } from '../http/family.ts';
import { nodeHttp } from '../http/node-http.ts';
import type { Route } from '../http/route.ts';
import { isObject } from '../values/objects.ts';
import { type JsonObject, SchemaComponents } from './schemas.ts';

/** An API and its routes. */
export interface DescribedApi {
  readonly name: string;
  readonly title: string;
  readonly family: ApiFamily;
  readonly routes: readonly Route[];
}

export interface OpenApiOptions {
  readonly apis: readonly DescribedApi[];
  readonly version: string;
  /** The address from which this document was requested. */
  readonly serverUrl: string;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly tags: readonly JsonObject[];
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components: JsonObject;
  readonly security: readonly JsonObject[];
}

const BEARER = 'bearer';
const LENGTH_REQUIRED = 411;
const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  bytes: 'application/octet-stream',
  stream: 'application/octet-stream',
};

/** Describes all declared routes as an OpenAPI 3.1 document. */
export function openapi({ apis, version, serverUrl }: OpenApiOptions): OpenApiDocument {
  const writer = new DocumentWriter();
  for (const api of apis) {
    for (const route of api.routes) writer.addRoute(api, route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cloudjar', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    tags: apis.map(({ name, title }) => ({ name, description: title })),
    paths: writer.paths,
    components: {
      schemas: writer.schemas.schemas,
      responses: writer.responses,
      securitySchemes: writer.securitySchemes,
    },
    security: [{ [BEARER]: [] }],
  };
}

class DocumentWriter {
  readonly paths: Record<string, JsonObject> = {};
  readonly responses: JsonObject = {};
  readonly securitySchemes: JsonObject = { [BEARER]: { type: 'http', scheme: 'bearer' } };
  readonly schemas = new SchemaComponents();
  readonly #templates = new Map<string, string>();
  readonly #operationIds = new Set<string>();

  addRoute(service: DescribedApi, route: Route): void {
    const template = this.#templateOf(route.path);
    this.paths[template] ??= {};
    const item = this.paths[template];
    const method = route.method.toLowerCase();
    if (method in item) throw new TypeError(`${route.method} ${route.path} is declared twice`);
    item[method] = {
      operationId: this.#operationId(service.name, route.operation),
      summary: route.summary,
      tags: [service.name],
      ...this.#securityOf(service.family, route),
      parameters: [
        ...pathParameters(template, route.path),
        ...(service.family.parameters?.(route) ?? []).map(commonParameter),
        ...this.#queryParameters(route.query),
      ],
      ...(hasBody(service.family, route) ? { requestBody: this.#requestBody(route) } : {}),
      responses: this.#responsesOf(service.family, route),
    };
  }

  /** OpenAPI treats paths that differ only in parameter names as equal. */
  #templateOf(path: string): string {
    const template = path.replace(/\*\}/g, '}');
    const shape = template.replace(/\{[^}]*\}/g, '{}');
    const known = this.#templates.get(shape) ?? template;
    this.#templates.set(shape, known);
    return known;
  }

  #operationId(service: string, operation: string): string {
    const candidates = [operation, `${service}_${operation}`];
    for (let count = 2; ; count++) {
      const free = candidates.find((candidate) => !this.#operationIds.has(candidate));
      if (free !== undefined) {
        this.#operationIds.add(free);
        return free;
      }
      candidates.splice(0, 2, `${service}_${operation}_${count}`);
    }
  }

  #securityOf(family: ApiFamily, route: Route): JsonObject {
    const credentials = family.credentials?.(route) ?? (route.open ? [] : undefined);
    return credentials ? { security: credentials.map((each) => ({ [this.#schemeOf(each)]: [] })) } : {};
  }

  #schemeOf(credential: Credential): string {
    if (credential === 'bearer') return BEARER;
    if ('bearer' in credential) {
      const { bearer, about: description } = credential;
      this.securitySchemes[bearer] = { type: 'http', scheme: 'bearer', description };
      return bearer;
    }
    const { header } = credential;
    this.securitySchemes[header] = { type: 'apiKey', in: 'header', name: header };
    return header;
  }

  #queryParameters(query: TSchema | undefined): JsonObject[] {
    if (!isObject(query)) return [];
    const parts = [query, ...(Array.isArray(query.allOf) ? query.allOf : [])].filter(isObject);
    return parts.flatMap((part) => {
      const required = Array.isArray(part.required) ? part.required : [];
      return Object.entries(isObject(part.properties) ? part.properties : {}).map(([name, schema]) => ({
        name,
        in: 'query',
        ...(required.includes(name) ? { required: true } : {}),
        ...(isObject(schema) && typeof schema.description === 'string' ? { description: schema.description } : {}),
        schema: this.schemas.convert(schema as TSchema),
      }));
    });
  }

  #requestBody(route: Route): JsonObject {
    const contentType = CONTENT_TYPES[route.jsonInBytes ? 'json' : (route.accepts ?? 'json')];
    const body = route.body ?? route.jsonInBytes;
    return {
      required: route.bodyOptional !== true,
      content: { [contentType]: body ? { schema: this.schemas.convert(body) } : {} },
    };
  }

  #responsesOf(family: ApiFamily, route: Route): JsonObject {
    const declared = Object.entries(route.responses ?? { 200: 'Success' });
    const responses: JsonObject = {};
    for (const [status, content] of declared) {
      responses[status] =
        typeof content === 'string' ? this.#textResponse(status, content, route) : this.#response(status, content);
    }
    for (const [status, description] of Object.entries(family.refusals?.(route) ?? {})) {
      responses[status] ??= { description, ...this.#errorContent(family) };
    }
    return { ...responses, ...this.#errorResponse(family) };
  }

  #response(status: string, schema: TSchema): JsonObject {
    const own = isObject(schema) && typeof schema.description === 'string' ? schema.description : undefined;
    return {
      description: own ?? nodeHttp.STATUS_CODES[status] ?? 'Answer',
      content: { [CONTENT_TYPES.json]: { schema: this.schemas.convert(schema) } },
    };
  }

  #textResponse(status: string, description: string, { produces, events, operation }: Route): JsonObject {
    if (!produces || !status.startsWith('2')) return { description };
    const described = Object.entries(events ?? {}).map(([name, schema]) => {
      return [name, this.schemas.define(`${operation}_${name}`, schema)] as const;
    });
    // OpenAPI 3.1 has no schema for a sequence of events.
    const extension = described.length === 0 ? {} : { 'x-events': Object.fromEntries(described) };
    return { description, content: { [produces]: { schema: { type: 'string' }, ...extension } } };
  }

  #errorResponse(family: ApiFamily): JsonObject {
    if (family.errorSchema === undefined) return {};
    const key = errorKey(family);
    this.responses[key] ??= { description: 'Any error', ...this.#errorContent(family) };
    return { default: { $ref: `#/components/responses/${key}` } };
  }

  #errorContent(family: ApiFamily): JsonObject {
    if (family.errorSchema === undefined) return {};
    return { content: { [CONTENT_TYPES.json]: { schema: this.schemas.define(errorKey(family), family.errorSchema) } } };
  }
}

const errorKey = ({ name }: ApiFamily): string => `${name.replace(/[^A-Za-z0-9._-]/g, '_')}Error`;

/** Some families require a body even for operations without parameters. */
function hasBody(family: ApiFamily, route: Route): boolean {
  if (route.body || route.jsonInBytes || route.bodyOptional || route.accepts === 'stream') return true;
  return LENGTH_REQUIRED in (family.refusals?.(route) ?? {});
}

const commonParameter = ({ name, values }: CommonParameter): JsonObject => ({
  name,
  in: 'query',
  required: true,
  schema: { type: 'string', ...(values.length > 0 && { enum: values }) },
});

const MANY_SEGMENTS = {
  scope: 'Any resource or scope: one or more path segments.',
  rest: 'Any number of path segments.',
};

function pathParameters(template: string, path: string): JsonObject[] {
  const names = [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '');
  return names.map((name, index) => {
    const isRest = index === names.length - 1 && path.endsWith('*}');
    const isScope = index === 0 && name === 'scope' && path.startsWith('/{scope}');
    const many = isRest ? MANY_SEGMENTS.rest : isScope ? MANY_SEGMENTS.scope : undefined;
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      // An extension known to client generators for this kind of API: slashes in the value are not escaped.
      ...(many === undefined ? {} : { description: many, 'x-ms-skip-url-encoding': true }),
    };
  });
}
