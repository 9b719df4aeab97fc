import { listOf, membersOf, textOf } from '../../../engine/json.ts';
import type { Securable } from '../../core/securables.ts';
import type { TableFile } from '../../tables/collections.ts';
import type { SharedObject } from '../collections.ts';

/** A share may give each recipient a part of a table: files whose partition values are those that it names. */
export function partitionRule(
  { fields }: SharedObject,
  recipient: Securable,
): ((file: Pick<TableFile, 'partitionValues'>) => boolean) | undefined {
  const alternatives = listOf(fields.partitions).map((each) => listOf(membersOf(each).values).map(membersOf));
  if (alternatives.length === 0) return undefined;
  const properties = membersOf(membersOf(recipient.fields.properties_kvpairs).properties);
  const meets = (file: Pick<TableFile, 'partitionValues'>, value: ReturnType<typeof membersOf>): boolean => {
    const property = textOf(value.recipient_property_key);
    const wanted = property === undefined ? textOf(value.value) : textOf(properties[property]);
    const held = file.partitionValues[textOf(value.name) ?? ''];
    if (wanted === undefined || held === undefined || held === null) return false;
    return value.op === 'LIKE' ? isLike(held, wanted) : held === wanted;
  };
  return (file) => alternatives.some((values) => values.every((value) => meets(file, value)));
}

/** `%` stands for any text and `_` for one character. Looks at each character of the text at most once for each `%`. */
export function isLike(text: string, pattern: string): boolean {
  let [at, in_, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (in_ < pattern.length && pattern[in_] === '%') {
      star = in_++;
      mark = at;
    } else if (in_ < pattern.length && (pattern[in_] === '_' || pattern[in_] === text[at])) {
      at++;
      in_++;
    } else if (star >= 0) {
      in_ = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[in_] === '%') in_++;
  return in_ === pattern.length;
}
