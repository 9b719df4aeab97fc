import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { CountedSecrets } from '../kernel/snapshots/left-out-line.ts';

/**
 * The secrets that a portable snapshot file was written without. They are in its last line, because the list is complete only at the end.
 */
export async function leftOutOf(file: string): Promise<readonly CountedSecrets[]> {
  let last = '';
  for await (const text of createReadStream(file).pipe(createGunzip()).setEncoding('utf8')) {
    last += text;
    last = last.slice(last.lastIndexOf('\n', last.length - 2) + 1);
  }
  const { leftOut = [] } = JSON.parse(last) as { leftOut?: CountedSecrets[] };
  return leftOut;
}
