/**
 * Filters the declarations of a style attribute. A declaration is kept if its property is known to affect only the appearance of its own
 * element, and its value has only characters and functions that cannot form a URL.
 */

export interface FilteredStyle {
  readonly style: string;
  /** Number of values that would load something. */
  readonly blocked: number;
}

const BOX = ['top', 'right', 'bottom', 'left'];
const PROPERTIES: ReadonlySet<string> = new Set([
  'color',
  'background',
  'background-color',
  ...['', '-family', '-size', '-style', '-variant', '-weight', '-stretch'].map((part) => `font${part}`),
  ...['align', 'decoration', 'decoration-line', 'decoration-color', 'indent', 'transform', 'overflow'].map(
    (part) => `text-${part}`,
  ),
  ...['line-height', 'letter-spacing', 'word-spacing', 'white-space', 'word-break', 'word-wrap', 'overflow-wrap'],
  ...['vertical-align', 'direction', 'unicode-bidi', 'list-style-type', 'list-style-position', 'tab-size', 'hyphens'],
  ...['display', 'float', 'clear', 'visibility', 'overflow', 'box-sizing', 'table-layout', 'caption-side'],
  ...['width', 'height', 'min-width', 'min-height', 'max-width', 'max-height'],
  ...['margin', 'padding'].flatMap((name) => [name, ...BOX.map((side) => `${name}-${side}`)]),
  ...['border', ...BOX.map((side) => `border-${side}`)].flatMap((name) => [
    name,
    ...['width', 'style', 'color'].map((part) => `${name}-${part}`),
  ]),
  ...['border-radius', 'border-collapse', 'border-spacing', 'empty-cells', 'opacity'],
]);

const FUNCTIONS: ReadonlySet<string> = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'calc']);
const LOADS = /(?:url|src|image|image-set|-webkit-image-set|cross-fade|element|paint)\s*\(|@import/i;
/** The blanks after an optional quote are inside its group: without a quote, two adjacent blank patterns would backtrack. */
const DATA = /url\s*\(\s*(?:['"]\s*)?data:/i;
/** Excludes backslash, colon, semicolon, at sign, asterisk, brace and angle bracket, so there are no escapes, comments or URLs. */
const PLAIN = /^[\p{L}\p{N}\s#.,%()'"+\-/!_]*$/u;
/**
 * The name before a parenthesis, if there is one. The lookbehinds prevent matches from the middle of words and blanks, which would be slow.
 */
const CALL = /(?<![\w-])([\w-]*)(?<!\s)\s*\(/g;
const LONGEST_STYLE = 10_000;
const LONGEST_VALUE = 500;

export function filterStyle(text: string): FilteredStyle {
  let blocked = 0;
  const kept: string[] = [];
  for (const declaration of text.slice(0, LONGEST_STYLE).split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (LOADS.test(declaration)) {
      if (!DATA.test(declaration)) blocked += 1;
    } else if (PROPERTIES.has(property) && isPlain(value)) kept.push(`${property}:${value}`);
  }
  return { style: kept.join(';'), blocked };
}

function isPlain(value: string): boolean {
  if (value === '' || value.length > LONGEST_VALUE || !PLAIN.test(value)) return false;
  if (value.split("'").length % 2 === 0 || value.split('"').length % 2 === 0) return false;
  return Array.from(value.matchAll(CALL)).every(([, name = '']) => FUNCTIONS.has(name.toLowerCase()));
}

/** Everything after the parenthesis is optional, so that a run of blanks is read once. */
const SHEET_LOADS = /url\s*\(\s*['"]?\s*(data:)?|@import\s*['"]/g;

/** Number of URLs that the style elements of a document would load. The elements are removed as a whole. */
export function countStyleSheetLoads(html: string): number {
  const lower = html.toLowerCase();
  let count = 0;
  for (let at = lower.indexOf('<style'); at >= 0; ) {
    const end = lower.indexOf('</style', at);
    const sheet = lower.slice(at, end < 0 ? undefined : end);
    for (const [, data] of sheet.matchAll(SHEET_LOADS)) if (data === undefined) count += 1;
    at = end < 0 ? -1 : lower.indexOf('<style', end);
  }
  return count;
}
