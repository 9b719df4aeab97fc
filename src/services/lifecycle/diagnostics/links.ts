import { Type } from 'typebox';
import { decodeSkipToken, encodeSkipToken } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import { FILES_MOUNT } from './files-mount.ts';

/**
 * Signed file URLs that need no API token: they state the action, the file and the expiry, with a MAC that only the jar can compute. They
 * have two path segments, because the public client accepts only upload URLs of the form container/blob. The MAC is in a query parameter
 * that is redacted in logs.
 */

/** The action that a URL permits. */
export type FileUse = 'report' | 'attachment' | 'symbols' | 'upload';

export interface FileLink {
  readonly use: FileUse;
  readonly name: string;
  /** Milliseconds in the jar's time. */
  readonly until: number;
}

const LIST = 'lifecycle files';
/** Length of the MAC at the start of a token. */
const CODE_LENGTH = 16;

export const SIGNED = { sig: Type.Optional(Type.String()) };
/** An hour. */
const LINK_MS = 3_600_000;

export const linkUntil = ({ jar }: Pick<Call, 'jar'>): number => jar.clock.now() + LINK_MS;

export function fileAddress(call: Pick<Call, 'jar' | 'origin'>, use: FileUse, name: string): string {
  const until = linkUntil(call);
  const token = encodeSkipToken(call.jar.vault, LIST, { use, name, until } satisfies FileLink);
  const path = `${FILES_MOUNT}/${token.slice(CODE_LENGTH)}`;
  // The expiry is only informative; the signed one is in the token.
  const end = encodeURIComponent(new Date(until).toISOString());
  return `${call.origin}${path}?se=${end}&sig=${token.slice(0, CODE_LENGTH)}`;
}

interface LinkCall extends Pick<Call, 'jar'> {
  readonly params: { readonly link: string };
  readonly query: { readonly sig?: string | undefined };
}

/** The content of a signed URL, if it is still valid. */
export function readLink({ jar, params, query }: LinkCall): FileLink {
  const link = decodeSkipToken<FileLink>(jar.vault, LIST, `${query.sig ?? ''}${params.link}`);
  if (!link) throw errors.Forbidden({ reason: 'The URL is not valid: its signature does not match.' });
  if (jar.clock.now() >= link.until) throw errors.Forbidden({ reason: 'The URL has expired; request a new one.' });
  return link;
}
