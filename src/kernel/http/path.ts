/** Splits request paths and path templates into segments, including two forms that common routers lack: OData keys and scopes. */

export type TemplateSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'keyed'; readonly text: string; readonly name: string }
  | { readonly kind: 'rest'; readonly name: string };

export interface Template {
  /** Name of a leading scope of several segments, if the template begins with one. */
  readonly scope: string | undefined;
  readonly segments: readonly TemplateSegment[];
}

/** A leading parameter spans several segments only in `/{scope}/providers/X/y/{name}`. */
const SCOPE = /^\/\{(scope)\}(?=\/providers\/)/;

export function parseTemplate(path: string): Template {
  const scope = SCOPE.exec(path);
  const rest = scope ? path.slice(scope[0].length) : path;
  return { scope: scope?.[1], segments: rest.split('/').filter(Boolean).map(parseSegment) };
}

function parseSegment(segment: string): TemplateSegment {
  const param = /^\{(\w+)(\*?)\}$/.exec(segment);
  if (param?.[1]) return param[2] ? { kind: 'rest', name: param[1] } : { kind: 'param', name: param[1] };
  const keyed = /^([^({]+)\(\{(\w+)\}\)$/.exec(segment);
  if (keyed?.[1] && keyed[2]) return { kind: 'keyed', text: keyed[1].toLowerCase(), name: keyed[2] };
  if (/[{}]/.test(segment)) throw new Error(`path segment '${segment}' mixes text and a parameter`);
  return { kind: 'static', text: segment.toLowerCase() };
}

/**
 * Splits a request path into segments, still encoded. Drops empty ones: clients that put an id before `/providers` send
 * `//subscriptions/…`, which the real gateway accepts. A slash inside a quoted OData key does not split.
 */
export function splitPath(path: string): string[] {
  if (!path.includes("('")) return path.split('/').filter(Boolean);
  const segments: string[] = [];
  let from = 0;
  let quoted = false;
  for (let i = 0; i <= path.length; i++) {
    const char = path[i];
    if (char === "'" && (quoted || path[i - 1] === '(' || path[i - 1] === '=')) quoted = !quoted;
    if (i === path.length || (char === '/' && !quoted)) {
      if (i > from) segments.push(path.slice(from, i));
      from = i + 1;
    }
  }
  return segments;
}

/** `customers(3f…)` → `['customers', '3f…']`. Removes the quotes of a quoted key and unescapes doubled quotes. */
export function splitKeyed(segment: string): readonly [name: string, key: string] | undefined {
  if (!segment.endsWith(')')) return undefined;
  const open = segment.indexOf('(');
  if (open <= 0) return undefined;
  const key = segment.slice(open + 1, -1);
  const quoted = key.length >= 2 && key.startsWith("'") && key.endsWith("'");
  return [segment.slice(0, open), quoted ? key.slice(1, -1).replaceAll("''", "'") : key];
}
