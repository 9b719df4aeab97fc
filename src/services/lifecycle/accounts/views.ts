import { Type } from 'typebox';
import type { Org, User } from '../collections.ts';
import type { AppRole } from '../roles.ts';

/** Accounts in responses. */

export const NullableText = Type.Union([Type.String(), Type.Null()]);

/** Constant in a jar; the real service also has accounts from predecessor services. */
export const ORIGIN = 'appcenter';

export const UserView = Type.Object({
  id: Type.String(),
  display_name: Type.String(),
  email: Type.String(),
  name: Type.String(),
  avatar_url: NullableText,
  can_change_password: Type.Boolean(),
  origin: Type.Literal(ORIGIN),
  created_at: Type.String(),
  /** Only in lists of collaborators. */
  permissions: Type.Optional(Type.Array(Type.Enum(['manager', 'developer', 'viewer', 'tester']))),
});

export const userView = (
  { id, displayName, email, name, avatarUrl, createdAt }: User,
  permissions?: readonly (AppRole | 'tester')[],
) => ({
  id,
  display_name: displayName,
  email,
  name,
  avatar_url: avatarUrl,
  can_change_password: false,
  origin: ORIGIN,
  created_at: createdAt,
  ...(permissions && { permissions }),
});

export const OrgView = Type.Object({
  id: Type.String(),
  display_name: Type.String(),
  name: Type.String(),
  avatar_url: NullableText,
  origin: Type.Literal(ORIGIN),
  created_at: Type.String(),
  updated_at: Type.String(),
});

/** `origin` is the address by which the client reached the jar, because pictures are stored by path. */
export const orgView = (
  { id, displayName, name, avatarUrl, createdAt, updatedAt }: Org,
  { origin }: { readonly origin: string },
) => ({
  id,
  display_name: displayName,
  name,
  avatar_url: pictureUrl(avatarUrl, origin),
  origin: ORIGIN,
  created_at: createdAt,
  updated_at: updatedAt,
});

/** Pictures in the jar are stored by path, so that their URLs match however the jar is reached. */
export const pictureUrl = (kept: string | null, origin: string): string | null =>
  kept?.startsWith('/') ? origin + kept : kept;
