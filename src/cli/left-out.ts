import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { CountedSecrets } from '../kernel/snapshots/left-out-line.ts';

/** What a portable snapshot file was written without. Its last line has the list, since nothing of it is known before. */
export async function leftOutOf(file: string): Promise<readonly CountedSecrets[]> {
  let last = '';
  for await (const text of createReadStream(file).pipe(createGunzip()).setEncoding('utf8')) {
    last += text;
    last = last.slice(last.lastIndexOf('\n', last.length - 2) + 1);
  }
  const { leftOut = [] } = JSON.parse(last) as { leftOut?: CountedSecrets[] };
  return leftOut;
}
