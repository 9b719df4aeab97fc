import type { List } from './comparisons.ts';
import { atCharacter, shown } from './errors.ts';
import { unquoted } from './tokens.ts';

const START = 'While parsing a list in the query, expected';

/** The texts of `('a', 'b')`. Run ids have no upper-case letters, so a list of run ids leaves out texts that contain one. */
export function listValues({ items, text, at }: List, areRunIds: boolean): readonly string[] {
  if (items.length === 0) throw atCharacter(`${START} a non-empty list of string values, but got empty list`, at);
  const values: string[] = [];
  for (const [i, item] of items.entries()) {
    if (i % 2 === 1 ? item.text !== ',' : item.kind === 'operator' || item.kind === 'sign')
      throw atCharacter(`${START} a non-empty list of string values, but got ill-formed list.`, item.at);
    if (i % 2 === 1) continue;
    if (item.kind !== 'string') {
      const wanted = 'string value, punctuation, or whitespace';
      throw atCharacter(`${START} ${wanted}, but got different type in list: ${shown(text)}`, item.at);
    }
    values.push(unquoted(item.text));
  }
  return areRunIds ? values.filter((value) => value === value.toLowerCase()) : values;
}
