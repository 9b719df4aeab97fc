const LONGEST = 40;

/** A name or a number can be repeated wherever the value is used. */
export const isCheap = (sql: string): boolean => /^[\w."«»]+$/.test(sql);

/** A short computation can also be repeated; that costs less than naming it. */
export const isShort = (sql: string): boolean => isCheap(sql) || (sql.length <= LONGEST && !sql.includes('SELECT'));
