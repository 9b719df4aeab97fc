import { defineWork } from '../../../../kernel/work/index.ts';

/** Removes columns, log and files of a removed table. */
export const DROP_TABLE_DATA = defineWork<{ readonly table: string }>('platform.drop-table-data', {
  title: 'Removes the data of a removed table',
  subject: 'table',
  concurrency: 2,
});

export const dropTableDataId = (table: string): string => `platform.drop-table-data:${table}`;

export const TABLE_WORK = [DROP_TABLE_DATA] as const;
