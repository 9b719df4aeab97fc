import { defineWork } from '../../../kernel/work/index.ts';

interface Purged {
  readonly tree: string;
  readonly inside: string;
}

/** Removes the content of a removed directory, which is no longer reachable. */
export const PURGE_DIRECTORY = defineWork<Purged>('platform.purge-directory', {
  title: 'Removes the content of a removed directory',
  subject: 'inside',
  concurrency: 2,
});

export const purgeDirectoryId = (tree: string, inside: string): string => `platform.purge-directory:${tree}/${inside}`;
