import { defineWork } from '../../../../kernel/work/index.ts';

/** The columns, the log and the files of a table that is gone. */
export const DROP_TABLE_DATA = defineWork<{ readonly table: string }>('platform.drop-table-data', { concurrency: 2 });

export const dropTableDataId = (table: string): string => `platform.drop-table-data:${table}`;

export const TABLE_WORK = [DROP_TABLE_DATA] as const;
