import { knownOrigin } from '../../../../../kernel/auth/index.ts';
import { decodeSkipToken, encodeSkipToken } from '../../../../../kernel/http/index.ts';
import { HOUR_MS } from '../../../../../kernel/time/index.ts';
import type { PlatformCall } from '../../../jar.ts';
import type { TableFile } from '../../tables/collections.ts';
import { SHARING_PREFIX } from '../recipients/activation.ts';

/** Links to the files of shared tables. A link gives access to its file without a token, for an hour. */

export const LINK_MS = HOUR_MS;
const LINKS = 'sharing-files';

export interface FilePlace {
  readonly table: string;
  readonly file: string;
  readonly until: number;
}

export const fileLink = (call: PlatformCall, { table, id }: TableFile, until: number): string =>
  `${knownOrigin(call)}${SHARING_PREFIX}/files/${encodeSkipToken(call.jar.vault, LINKS, { table, file: id, until } satisfies FilePlace)}`;

/** The file of a link. Returns undefined if the link was not issued by this jar. */
export const readLink = ({ jar }: PlatformCall, token: string): FilePlace | undefined =>
  decodeSkipToken<FilePlace>(jar.vault, LINKS, token);
