import { Type } from 'typebox';
import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import { FILES_MOUNT } from './files-mount.ts';

/**
 * Addresses of files that work without a token of the API: they say what may be done to which file and until when, with a code over it
 * that only the jar can make. They have two segments, as the public client takes uploads only to a container and a blob in it. The code is
 * in the query, by a name whose value no log shows.
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
/** A token begins with its code, which is so many characters. */
const CODE_LENGTH = 16;

export const SIGNED = { sig: Type.Optional(Type.String()) };
/** An hour. */
const LINK_MS = 3_600_000;

export const linkUntil = ({ jar }: Pick<Call, 'jar'>): number => jar.clock.now() + LINK_MS;

export function fileAddress(call: Pick<Call, 'jar' | 'origin'>, use: FileUse, name: string): string {
  const until = linkUntil(call);
  const token = encodeSkipToken(call.jar.vault, LIST, { use, name, until } satisfies FileLink);
  const path = `${FILES_MOUNT}/${token.slice(CODE_LENGTH)}`;
  // When it ends is for people to read.
  const end = encodeURIComponent(new Date(until).toISOString());
  return `${call.origin}${path}?se=${end}&sig=${token.slice(0, CODE_LENGTH)}`;
}

interface LinkCall extends Pick<Call, 'jar'> {
  readonly params: { readonly link: string };
  readonly query: { readonly sig?: string | undefined };
}

/** What an address stands for, if it is still good. */
export function readLink({ jar, params, query }: LinkCall): FileLink {
  const link = decodeSkipToken<FileLink>(jar.vault, LIST, `${query.sig ?? ''}${params.link}`);
  if (!link) throw errors.Forbidden({ reason: 'The address was not made here.' });
  if (jar.clock.now() >= link.until)
    throw errors.Forbidden({ reason: 'The address has expired; ask for another one.' });
  return link;
}
