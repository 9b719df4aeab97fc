import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/paging.ts';
import type { Call } from '../../../kernel/http/route.ts';
import { errors } from '../errors.ts';
import { FILES_MOUNT } from './file-routes.ts';

/**
 * Addresses of files that work without a token of the API: they say what may be done to which file and until when, with a code over it
 * that only the jar can make. They have two segments, as the public client takes uploads only to a container and a blob in it.
 */

/** What an address is for. */
export type FileUse = 'report' | 'attachment' | 'symbols' | 'upload';

export interface FileLink {
  readonly use: FileUse;
  readonly name: string;
  /** Milliseconds by the jar's clock. */
  readonly until: number;
}

const LIST = 'lifecycle files';
const HOUR_MS = 3_600_000;
export const LINK_MS = HOUR_MS;

export const linkUntil = ({ jar }: Pick<Call, 'jar'>): number => jar.clock.now() + LINK_MS;

export function fileAddress(call: Pick<Call, 'jar' | 'origin'>, use: FileUse, name: string): string {
  const until = linkUntil(call);
  const token = encodeSkipToken(call.jar.vault, LIST, { use, name, until } satisfies FileLink);
  // What is behind the question mark is for people; the client needs something there.
  return `${call.origin}${FILES_MOUNT}/${token}?se=${encodeURIComponent(new Date(until).toISOString())}`;
}

/** What an address stands for, if it is still good. */
export function readLink({ jar }: Pick<Call, 'jar'>, token: string): FileLink {
  const link = decodeSkipToken<FileLink>(jar.vault, LIST, token);
  if (!link) throw errors.Forbidden({ reason: 'The address was not made here.' });
  if (jar.clock.now() >= link.until)
    throw errors.Forbidden({ reason: 'The address has expired; ask for another one.' });
  return link;
}
