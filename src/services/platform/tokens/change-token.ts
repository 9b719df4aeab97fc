import { type AccessToken, accessTokens } from '../access/token-collections.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { readComment } from './comment.ts';
import { readScopes } from './read-scopes.ts';
import { record } from './tokens.ts';

const CHANGEABLE = ['comment', 'scopes'] as const;

/** `{ token: { comment, scopes }, update_mask }`: changes the fields of the mask, or without a mask the fields that are sent. */
export async function changeToken(
  call: PlatformCall,
  id: string,
  isAllowed: (token: AccessToken) => boolean,
): Promise<void> {
  const { jar } = call;
  const sent = new Sent(call.body);
  const changes = sent.member('token');
  if (!changes) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'token' });
  const mask = readMask(sent.text('update_mask')) ?? CHANGEABLE.filter((field) => changes.has(field));
  const comment = readComment(changes);
  const scopes = readScopes(call, changes);
  await jar.store.transact(async (tx) => {
    const token = (await tx.get(accessTokens, id.toLowerCase()))?.value;
    if (!token || !isAllowed(token)) throw errors.NOT_FOUND({ reason: `Token ${id.slice(0, 100)} does not exist.` });
    const { comment: oldComment, scopes: oldScopes, ...rest } = token;
    const after = {
      comment: mask.includes('comment') ? comment : oldComment,
      scopes: mask.includes('scopes') ? scopes : oldScopes,
    };
    const changed: AccessToken = {
      ...rest,
      ...(after.comment && { comment: after.comment }),
      ...(after.scopes && { scopes: after.scopes }),
    };
    await tx.put(accessTokens, id.toLowerCase(), changed);
    await record(tx, jar, 'update', id.toLowerCase(), changed);
  });
}

function readMask(mask: string | undefined): readonly string[] | undefined {
  if (mask === undefined || mask === '' || mask === '*') return undefined;
  const fields = mask.split(',').map((field) => field.trim().replace(/^token\./, ''));
  const unknown = fields.find((field) => !CHANGEABLE.some((each) => each === field));
  if (unknown !== undefined) {
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `update_mask may name ${CHANGEABLE.join(' and ')}, not '${unknown.slice(0, 100)}'.`,
    });
  }
  return fields;
}
