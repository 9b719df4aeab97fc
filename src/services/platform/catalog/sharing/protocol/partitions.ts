import { isLike } from '../../../../../kernel/store/index.ts';
import { listOf, membersOf, textOf } from '../../../engine/json.ts';
import type { Securable } from '../../core/securables.ts';
import type { TableFile } from '../../tables/collections.ts';
import type { SharedObject } from '../collections.ts';

/** A share may grant each recipient a part of a table: the files with certain partition values. */
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
