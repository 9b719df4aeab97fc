import { defineWork } from '../../../kernel/work/index.ts';

interface Purged {
  readonly tree: string;
  readonly inside: string;
}

/** Removes what was in a directory that is gone: nothing leads there any more. */
export const PURGE_DIRECTORY = defineWork<Purged>('platform.purge-directory', { concurrency: 2 });

export const purgeDirectoryId = (tree: string, inside: string): string => `platform.purge-directory:${tree}/${inside}`;
