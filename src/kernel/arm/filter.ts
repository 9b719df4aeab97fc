import type { Filter } from '../store/types.ts';
import { tagEntry } from './collections.ts';
import { gatewayErrors } from './errors.ts';

/**
 * The filters of the gateway's own lists: comparisons with `eq` joined by `and`, and `startswith`. A name that is not in `fields`
 * is refused; a tag is two comparisons (`tagName eq 'a' and tagValue eq 'b'`) that belong together.
 */
const COMPARISON =
  /^\s*(?:(\w+)\s+eq\s+'((?:[^']|'')*)'|startswith\(\s*(\w+)\s*,\s*'((?:[^']|'')*)'\s*\))\s*(?:and\s+(?=\S)|$)/i;

const TAG_PARTS: Readonly<Record<string, 'name' | 'value' | undefined>> = {
  __proto__: null,
  tagname: 'name',
  tagvalue: 'value',
} as never;

export function parseGatewayFilter(
  source: string | undefined,
  fields: Readonly<Record<string, string>>,
): Filter | undefined {
  if (source === undefined || source.trim() === '') return undefined;
  const args: Filter[] = [];
  const tag: { name?: string; value?: string } = {};
  let rest = source;
  while (rest !== '') {
    const match = COMPARISON.exec(rest);
    if (!match) {
      const position = source.length - rest.length;
      throw refused(
        `'${rest.trim().slice(0, 60)}' at position ${position} is not a comparison such as name eq 'value'.`,
      );
    }
    const name = (match[1] ?? match[3] ?? '').toLowerCase();
    const value = (match[2] ?? match[4] ?? '').replaceAll("''", "'");
    const part = match[1] === undefined ? undefined : TAG_PARTS[name];
    if (part) {
      if (tag[part] !== undefined) throw refused(`'${match[1]}' is given twice; one tag can be asked for.`);
      tag[part] = value;
    } else {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined)
        throw refused(
          `'${name}' cannot be filtered by; use one of ${['tagName', 'tagValue', ...Object.keys(fields)].join(', ')}.`,
        );
      args.push({ op: match[1] === undefined ? 'startsWith' : 'eq', field, value: value.toLowerCase() });
    }
    rest = rest.slice(match[0].length);
  }
  if (tag.name === undefined && tag.value !== undefined) throw refused("'tagValue' needs 'tagName' beside it.");
  if (tag.name !== undefined) {
    args.push({ op: 'has', field: 'tags', value: tagEntry(tag.name, tag.value) });
  }
  return args.length === 1 ? args[0] : { op: 'and', args };
}

const refused = (reason: string): Error => gatewayErrors.InvalidFilterInQueryString({ reason }, { target: '$filter' });
