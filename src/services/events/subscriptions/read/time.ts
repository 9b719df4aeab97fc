import { readTime } from '../../forms/times.ts';

/** Milliseconds of a time as clients write it, NaN where it is none. One without a zone is UTC, as the names of such fields say. */
export const timeOf: (text: string) => number = readTime;
