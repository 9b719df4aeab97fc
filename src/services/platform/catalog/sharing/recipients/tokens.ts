import { hash, randomBytes } from 'node:crypto';
import { uuid } from '../../../../../kernel/ids/index.ts';
import type { Reader, Tx } from '../../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../../kernel/values/index.ts';
import { listOf, membersOf, numberOf, textOf } from '../../../engine/json.ts';
import { byId, chainById } from '../../core/chain.ts';
import type { Securable } from '../../core/securables.ts';
import { sharingActivations, sharingBearers } from '../collections.ts';

/** A token of a recipient, stored with the recipient. The activation link shows its value once; only the hash is stored. */
export interface RecipientToken {
  readonly id: string;
  /** Code in the activation link. */
  readonly code: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly expiresAt?: number;
  /** Hash of the value; absent until the token is issued. */
  readonly hash?: string;
}

/** The old and the new token, during a rotation. */
export const MOST_TOKENS = 2;

/** The end of the year 9999: profiles of recipients write dates with four-digit years, so later times cannot be represented. */
export const LATEST_END = 253_402_300_799_999;

const CODE_BYTES = 24;
const VALUE_BYTES = 32;

export const newToken = (
  { createdBy }: Pick<RecipientToken, 'createdBy'>,
  now: number,
  expiresAt: number | undefined,
): RecipientToken => ({
  id: uuid(),
  code: randomBytes(CODE_BYTES).toString('base64url'),
  createdAt: now,
  createdBy,
  updatedAt: now,
  updatedBy: createdBy,
  ...(expiresAt !== undefined && { expiresAt }),
});

/** All tokens of a recipient, including expired ones. */
export const tokensOf = ({ extra }: Pick<Securable, 'extra'>): readonly RecipientToken[] =>
  listOf(extra?.tokens).map((each) => {
    const token = membersOf(each);
    const text = (name: string): string => textOf(token[name]) ?? '';
    const number = (name: string): number => numberOf(token[name]) ?? 0;
    return {
      id: text('id'),
      code: text('code'),
      createdAt: number('createdAt'),
      createdBy: text('createdBy'),
      updatedAt: number('updatedAt'),
      updatedBy: text('updatedBy'),
      ...omitAbsent({ expiresAt: numberOf(token.expiresAt), hash: textOf(token.hash) }),
    };
  });

export const isLive = ({ expiresAt }: RecipientToken, now: number): boolean =>
  expiresAt === undefined || expiresAt > now;

/** In a transaction: stores the activations of new tokens, and removes those of removed tokens. */
export async function storeTokens(
  tx: Tx,
  recipient: string,
  before: readonly RecipientToken[],
  after: readonly RecipientToken[],
): Promise<void> {
  const kept = new Set(after.map(({ id }) => id));
  for (const { id, code, hash: value } of before) {
    if (kept.has(id)) continue;
    await tx.delete(sharingActivations, code);
    if (value !== undefined) await tx.delete(sharingBearers, value);
  }
  const known = new Set(before.map(({ id }) => id));
  for (const { id, code } of after)
    if (!known.has(id)) await tx.put(sharingActivations, code, { recipient, token: id });
}

export const newBearer = (): string => randomBytes(VALUE_BYTES).toString('base64url');

/** A longer value cannot be a token of this service and is not hashed. */
const LONGEST_BEARER = 200;

export const bearerHash = (value: string): string => hash('sha256', value, 'hex');

/** The recipient of a bearer token. Returns undefined if the token is not valid. */
export async function recipientOf(reader: Reader, bearer: string, now: number): Promise<Securable | undefined> {
  if (bearer === '' || bearer.length > LONGEST_BEARER) return undefined;
  const found = (await reader.get(sharingBearers, bearerHash(bearer), 'none'))?.value;
  const recipient = found && (await byId(reader, found.recipient));
  const token = recipient && tokensOf(recipient).find(({ id }) => id === found.token);
  if (!recipient || !token || !isLive(token, now)) return undefined;
  // The recipients of a removed metastore may still be waiting for removal.
  return (await chainById(reader, recipient.id)) ? recipient : undefined;
}
