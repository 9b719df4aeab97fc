import { Type } from 'typebox';
import { SCOPES, type Scope, type Token, type TokenUse } from '../collections.ts';
import { errors } from '../errors.ts';

const LONGEST_DESCRIPTION = 1000;

export const TokenBody = Type.Object({
  description: Type.Optional(Type.Union([Type.String({ maxLength: LONGEST_DESCRIPTION }), Type.Null()])),
  scope: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
});

const Shown = {
  id: Type.String(),
  description: Type.Optional(Type.String()),
  scope: Type.Array(Type.Enum([...SCOPES])),
  created_at: Type.String(),
};

export const TokenView = Type.Object({ ...Shown, last_used_at: Type.Optional(Type.String()) });
export const NewTokenView = Type.Object({ ...Shown, api_token: Type.String() });

/**
 * The widest of the requested scopes; full access if the request has none. An empty array would mean a token without rights, so it is
 * rejected.
 */
export function readScope(scope: readonly string[] | null | undefined): Scope {
  if (scope?.length === 0) {
    const reason = `The scope is empty: name ${SCOPES.join(' or ')}, or leave it out for full access.`;
    throw errors.BadRequest({ reason }, { target: 'scope' });
  }
  const unknown = scope?.find((each) => !(SCOPES as readonly string[]).includes(each));
  if (unknown !== undefined) {
    const reason = `The scope '${unknown.slice(0, 60)}' is not one of ${SCOPES.join(' and ')}.`;
    throw errors.BadRequest({ reason }, { target: 'scope' });
  }
  return scope && !scope.includes('all') ? 'viewer' : 'all';
}

export const tokenView = ({ id, description, scope, createdAt }: Token) => ({
  id,
  ...(description !== undefined && { description }),
  scope: [scope],
  created_at: createdAt,
});

export const listedToken = (token: Token, use: TokenUse | undefined) => ({
  ...tokenView(token),
  ...(use && { last_used_at: use.usedAt }),
});
