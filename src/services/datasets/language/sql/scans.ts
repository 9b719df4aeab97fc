import { keyColumn, NUMBER_COLUMN } from '../../../../kernel/store/index.ts';
import type { Column, Relationship, Table } from '../catalogue.ts';
import type { Compiler } from './compiler.ts';
import { asKeyOf, quoted } from './relation.ts';

/** The rows of a table plus a row of NULLs (the blank row) if other tables have keys without a match. */
export function scanBase(compiler: Compiler, table: Table): string {
  const names = [
    NUMBER_COLUMN,
    ...table.columns.flatMap((column) => [...new Set([column.storage, keyName(column)])]),
  ].map(quoted);
  const absent = names.map(() => 'NULL').join(', ');
  const rows = `SELECT ${names.join(', ')} FROM ${compiler.sqlName(table.storage)}`;
  return `(${rows} UNION ALL SELECT ${absent} WHERE ${hasBlankRow(compiler, table)})`;
}

const keyName = ({ storage, stored }: Column): string => keyColumn({ name: storage, type: stored });

/** A table whose children have a blank row also has one, because the key of that row matches nothing. */
function hasBlankRow(compiler: Compiler, table: Table, seen = new Set<Table>()): string {
  seen.add(table);
  const reasons = table.children.flatMap((relationship) => {
    const child = relationship.from.table;
    const own = hasOrphans(compiler, relationship);
    return child.children.length > 0 && !seen.has(child) ? [own, hasBlankRow(compiler, child, seen)] : [own];
  });
  return `(${reasons.join(' OR ')})`;
}

function hasOrphans(compiler: Compiler, { from, to }: Relationship): string {
  const [many, one] = [compiler.aliases.next('m'), compiler.aliases.next('u')];
  const key = `${many}.${quoted(keyName(from))}`;
  const wanted = asKeyOf(to.type, { key, type: from.type });
  const match = `SELECT 1 FROM ${compiler.sqlName(to.table.storage)} ${one} WHERE ${one}.${quoted(keyName(to))} = ${wanted}`;
  return `EXISTS (SELECT 1 FROM ${compiler.sqlName(from.table.storage)} ${many} WHERE ${key} IS NULL OR NOT EXISTS (${match}))`;
}
