import { Type } from 'typebox';
import type { Jar } from '../../../kernel/service/index.ts';
import { REDACTED } from '../../../kernel/telemetry/index.ts';
import type { Access } from '../access/access.ts';
import { findOwnerAccount } from '../access/find.ts';
import { NullableText, ORIGIN, pictureUrl } from '../accounts/views.ts';
import type { App, Org, User } from '../collections.ts';
import type { AppRole, AppStanding } from '../roles.ts';
import { PLATFORMS, SYSTEMS } from './systems.ts';

/** Apps in responses. */

const OwnerView = Type.Object({
  id: Type.String(),
  avatar_url: NullableText,
  display_name: Type.String(),
  email: NullableText,
  name: Type.String(),
  type: Type.Enum(['user', 'org']),
});

export const LinkedSubscription = Type.Object({
  subscription_id: Type.String(),
  tenant_id: Type.String(),
  subscription_name: Type.String(),
  is_billing: Type.Boolean(),
  is_billable: Type.Boolean(),
  is_microsoft_internal: Type.Boolean(),
});

/** The properties, for schemas that extend them. */
export const APP_PROPERTIES = {
  id: Type.String(),
  app_secret: Type.String(),
  display_name: Type.String(),
  name: Type.String(),
  description: NullableText,
  icon_url: NullableText,
  icon_source: NullableText,
  os: Type.Enum([...SYSTEMS]),
  platform: Type.Enum([...PLATFORMS]),
  origin: Type.Literal(ORIGIN),
  owner: OwnerView,
  azure_subscription: Type.Union([LinkedSubscription, Type.Null()]),
  release_type: NullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
  member_permissions: Type.Array(Type.Enum(['manager', 'developer', 'viewer'])),
};

export const AppView = Type.Object(APP_PROPERTIES);

/** An app and the caller's standing in it; the standing is undefined if the caller can no longer see the app. */
export interface VisibleApp {
  readonly app: App;
  readonly standing: AppStanding | undefined;
}

interface Viewing {
  readonly jar: Jar;
  readonly origin: string;
  readonly facts: { readonly access?: Pick<Access, 'token'> };
}

export async function appView(viewing: Viewing, { app, standing }: VisibleApp) {
  const owner = await findOwnerAccount(viewing.jar.store, app.owner);
  const { origin, facts } = viewing;
  return {
    id: app.id,
    // Every client that knows the secret can send logs.
    app_secret: facts.access?.token.isReader ? REDACTED : app.secret,
    display_name: app.displayName,
    name: app.name,
    description: app.description,
    icon_url: pictureUrl(app.iconUrl, origin),
    icon_source: app.iconUrl?.startsWith('/') ? 'uploaded' : null,
    os: app.os,
    platform: app.platform,
    origin: ORIGIN,
    owner: ownerView(app, owner, origin),
    azure_subscription: app.subscriptionId === undefined ? null : linkedView(app.subscriptionId),
    release_type: app.releaseType,
    created_at: app.createdAt,
    updated_at: app.updatedAt,
    member_permissions: permissionsOf(standing),
  };
}

export const appViews = (viewing: Viewing, seen: readonly VisibleApp[]) =>
  Promise.all(seen.map((each) => appView(viewing, each)));

/** Administrators appear as managers; the API has no higher permission. */
export const permissionsOf = (standing: AppStanding | undefined): AppRole[] => {
  if (standing === undefined) return [];
  return [standing === 'administrator' ? 'manager' : standing];
};

/** An account that another node renamed a moment ago may be missing from the cache here; then only its id is shown. */
function ownerView({ owner }: App, account: User | Org | undefined, origin: string) {
  return {
    id: owner.id,
    avatar_url: pictureUrl(account?.avatarUrl ?? null, origin),
    display_name: account?.displayName ?? owner.id,
    email: account && 'email' in account ? account.email : null,
    name: account?.name ?? owner.id,
    type: owner.kind,
  };
}

/** Subscriptions belong to another service; only the id is known here. */
const NO_TENANT = '00000000-0000-0000-0000-000000000000';

export const linkedView = (subscriptionId: string) => ({
  subscription_id: subscriptionId,
  tenant_id: NO_TENANT,
  subscription_name: subscriptionId,
  is_billing: false,
  is_billable: false,
  is_microsoft_internal: false,
});
