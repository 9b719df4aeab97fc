import { type Reader, readAll } from '../../../kernel/store/index.ts';
import { requests, requestsOf, type TransitionRequest } from './collections.ts';
import type { Stage } from './stages.ts';

/** The open requests of a version, oldest first; optionally only those for one stage. */
export async function openRequestsOf(
  reader: Reader,
  version: string,
  to?: Stage,
): Promise<readonly TransitionRequest[]> {
  const found = await readAll(reader, requests, {
    prefix: `${requestsOf(version)}${to === undefined ? '' : `${to}/`}`,
  });
  return found.map(({ value }) => value).sort((one, other) => one.activity.order - other.activity.order);
}
