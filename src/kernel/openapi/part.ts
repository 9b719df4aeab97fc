import { isObject } from '../values/objects.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { JsonObject } from './schemas.ts';

/**
 * Extracts the operations of one API and everything they refer to, for generating a client of that API only. Names are the same as in the
 * whole document.
 */
export const partOf = (document: OpenApiDocument, tag: string): OpenApiDocument =>
  selected(document, (_, { tags }) => Array.isArray(tags) && tags.includes(tag));

/** Extracts operations and everything they refer to. */
export function selected(
  document: OpenApiDocument,
  isWanted: (path: string, operation: JsonObject) => boolean,
): OpenApiDocument {
  const paths: Record<string, JsonObject> = {};
  const tags = new Set<unknown>();
  for (const [path, item] of Object.entries(document.paths)) {
    const wanted = Object.entries(item).filter(([, operation]) => isObject(operation) && isWanted(path, operation));
    if (wanted.length === 0) continue;
    paths[path] = Object.fromEntries(wanted);
    for (const [, operation] of wanted) for (const tag of (operation as { tags?: unknown[] }).tags ?? []) tags.add(tag);
  }
  return {
    ...document,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: usedComponents(document, paths),
  };
}

function usedComponents(
  { components, security }: OpenApiDocument,
  paths: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const used = new Map<string, Set<string>>([
    ['schemas', new Set()],
    ['responses', new Set()],
  ]);
  const schemes = new Set<string>();
  const look = (value: unknown, key = ''): void => {
    if (Array.isArray(value)) {
      for (const each of value) {
        if (key === 'security' && isObject(each)) for (const name of Object.keys(each)) schemes.add(name);
        look(each);
      }
      return;
    }
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === '$ref' && typeof inner === 'string') refer(inner);
      else look(inner, name);
    }
  };
  const refer = (reference: string): void => {
    const [, , kind = '', name = ''] = reference.split('/');
    const names = used.get(kind);
    if (!names || names.has(name)) return;
    names.add(name);
    look((components[kind] as JsonObject)[name]);
  };
  look(paths);
  look(security, 'security');
  const only = (kind: string, names: ReadonlySet<string>): JsonObject =>
    Object.fromEntries(Object.entries(components[kind] as JsonObject).filter(([name]) => names.has(name)));
  return {
    schemas: only('schemas', used.get('schemas') as Set<string>),
    responses: only('responses', used.get('responses') as Set<string>),
    securitySchemes: only('securitySchemes', schemes),
  };
}
