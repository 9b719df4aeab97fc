const LONGEST = 40;

/** A value that is no more than a name or a number can be written again wherever it is used. */
export const isCheap = (sql: string): boolean => /^[\w."«»]+$/.test(sql);

/** So can a short computation, which costs less than giving it a name. */
export const isShort = (sql: string): boolean => isCheap(sql) || (sql.length <= LONGEST && !sql.includes('SELECT'));
