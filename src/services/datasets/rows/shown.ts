import { type Cell, type ColumnType, plainText } from '../../../kernel/store/index.ts';

/** A stored value as text for error messages. */
export const shownCell = (type: ColumnType, cell: Exclude<Cell, null>): string =>
  type === 'text' ? `'${String(cell).slice(0, 100).toWellFormed()}'` : plainText(type, cell);
