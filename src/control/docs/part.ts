import { canonicalId } from '../../kernel/arm/index.ts';
import { type OpenApiDocument, selected } from '../../kernel/openapi/index.ts';
import { isObject } from '../../kernel/values/index.ts';
import { controlErrors } from '../family.ts';

const SHOWN = 200;

/** The part of the document with one operation. */
export function operationIn(document: OpenApiDocument, id: string): OpenApiDocument {
  const part = selected(document, (_, { operationId }) => operationId === id);
  if (Object.keys(part.paths).length > 0) return part;
  throw controlErrors.UnknownOperation({ operation: id.slice(0, SHOWN) }, { target: 'operation' });
}

/** The part of the document with the operations that a request to this path reaches. */
export function pathIn(document: OpenApiDocument, path: string, namespaces: readonly string[]): OpenApiDocument {
  const wanted = canonicalId(path.split('?', 1)[0] ?? '', namespaces)
    .toLowerCase()
    .split('/');
  // As in the router, the template with more literal text wins.
  let best: string | undefined;
  for (const [template, item] of Object.entries(document.paths))
    if ((best === undefined || literal(template) > literal(best)) && fits(template, item, wanted)) best = template;
  if (best === undefined) throw controlErrors.UnknownPath({ path: path.slice(0, SHOWN) }, { target: 'path' });
  return selected(document, (template) => template === best);
}

const PARAMETER = /\{[^}]*\}/g;

const literal = (template: string): number => template.replace(PARAMETER, '').length;

function fits(template: string, item: object, wanted: readonly string[]): boolean {
  const segments = template.split('/');
  const extra = wanted.length - segments.length;
  if (extra < 0) return false;
  if (extra === 0) return segments.every((segment, index) => fitsSegment(segment, wanted[index] ?? ''));
  // A parameter of many segments is the first or the last of its template.
  const [, first = ''] = segments;
  if (takesMany(item, first)) {
    const rest = segments.slice(2);
    return rest.every((segment, index) => fitsSegment(segment, wanted[index + 2 + extra] ?? ''));
  }
  if (!takesMany(item, segments.at(-1) ?? '')) return false;
  return segments.slice(0, -1).every((segment, index) => fitsSegment(segment, wanted[index] ?? ''));
}

function fitsSegment(segment: string, wanted: string): boolean {
  if (!segment.includes('{')) return segment.toLowerCase() === wanted;
  if (wanted === '') return false;
  // A segment may be more than its parameter: `customers({id})`.
  const [before = '', after = ''] = segment.toLowerCase().split(PARAMETER);
  return wanted.length > before.length + after.length && wanted.startsWith(before) && wanted.endsWith(after);
}

function takesMany(item: object, segment: string): boolean {
  if (!/^\{[^}]*\}$/.test(segment)) return false;
  const name = segment.slice(1, -1);
  return Object.values(item).some(
    ({ parameters }) =>
      Array.isArray(parameters) &&
      parameters.some((each) => isObject(each) && each.name === name && each['x-ms-skip-url-encoding'] === true),
  );
}
