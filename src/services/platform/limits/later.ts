import type { RowId } from './resource-rows.ts';

/** The rows of both tables whose resources this release does not serve yet. Nothing else says so: what comes to be served leaves this list. */

export const LATER_ROWS: readonly RowId[] = [];

/** Of the rate table, by what its paths begin with. */
export const LATER_PATHS: readonly string[] = [];

const laterRows: ReadonlySet<string> = new Set(LATER_ROWS);

export const isLaterRow = (id: string): boolean => laterRows.has(id);

export const isLaterPath = (path: string): boolean => LATER_PATHS.some((start) => path.startsWith(start));
