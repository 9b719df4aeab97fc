import { Type } from 'typebox';
import { ORIGIN, pictureUrl } from '../accounts/views.ts';
import type { User } from '../collections.ts';
import type { DistributionGroup, Tester } from './collections.ts';

const LONGEST_NAME = 100;
/** Maximum number of addresses or apps per request. */
const MOST_AT_ONCE = 1000;
/** Longer than any valid address. */
const LONGEST_ADDRESS = 400;

export const GroupName = Type.String({ minLength: 1, maxLength: LONGEST_NAME });

export const GROUP_PROPERTIES = {
  id: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  origin: Type.Literal(ORIGIN),
  is_public: Type.Boolean(),
};

export const GroupView = Type.Object(GROUP_PROPERTIES);

export const groupView = ({ id, name, displayName, isPublic }: DistributionGroup) => ({
  id,
  name,
  display_name: displayName ?? name,
  origin: ORIGIN,
  is_public: isPublic,
});

export const Addresses = Type.Object({
  user_emails: Type.Array(Type.String({ maxLength: LONGEST_ADDRESS }), { minItems: 1, maxItems: MOST_AT_ONCE }),
});

export const NamedApps = Type.Object({
  apps: Type.Array(Type.Object({ name: Type.String() }), { minItems: 1, maxItems: MOST_AT_ONCE }),
});

/** The result for one address. */
export const TesterResult = Type.Object({
  user_email: Type.String(),
  status: Type.Integer(),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  invite_pending: Type.Optional(Type.Literal(true)),
});

export interface TesterOutcome {
  readonly user_email: string;
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  readonly invite_pending?: true;
}

/** Until a tester accepts, only the address is known. */
export const TesterView = Type.Object({
  id: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  can_change_password: Type.Optional(Type.Boolean()),
  display_name: Type.Optional(Type.String()),
  email: Type.String(),
  invite_pending: Type.Optional(Type.Literal(true)),
  name: Type.Optional(Type.String()),
});

export const testerView = ({ email }: Tester, user: User | undefined, { origin }: { readonly origin: string }) =>
  user
    ? {
        id: user.id,
        avatar_url: pictureUrl(user.avatarUrl, origin),
        can_change_password: false,
        display_name: user.displayName,
        email: user.email,
        name: user.name,
      }
    : { email, invite_pending: true as const };
