import type { App, HeldToken, Org, User } from '../collections.ts';
import { gateway } from '../errors.ts';
import type { LifecycleCall } from '../jar.ts';
import { NEEDS, type NeedName, type Needs, traitsOf } from '../operation.ts';
import { appRank, type OrgRole, orgRank } from '../roles.ts';
import type { Access } from './access.ts';
import { findApp, findOrg, findUser } from './find.ts';
import { readerTokenWith } from './shown-tokens.ts';
import { admitSource, countUnknownToken } from './sources.ts';
import { isSelf, orgRoleOf, tokenStandingOf } from './standing.ts';

/** Longer tokens cannot be valid and are not even hashed. */
const LONGEST_TOKEN = 200;

/** Family step: finds the token's user and the resources named in the URL, and checks them against the table of operations. */
export async function authorize(call: LifecycleCall): Promise<void> {
  if (call.route.open) return;
  const pending = admitSource(call);
  if (pending) await pending;
  const { token, user } = await identify(call);
  call.logged = { user: user.name, tokenId: token.id };
  call.jar.tokenUses.note(token);
  call.facts.access = await decide(call, token, user);
}

async function identify(call: LifecycleCall): Promise<{ token: HeldToken; user: User }> {
  const header = call.headers['x-api-token'];
  const secret = typeof header === 'string' ? header.trim() : '';
  if (secret === '') throw gateway.missingToken(call);
  const token = secret.length <= LONGEST_TOKEN ? await findToken(call.jar, secret) : undefined;
  const user = token && (await findUser(call.jar.store, token.userId));
  if (user) return { token, user };
  await countUnknownToken(call);
  throw gateway.invalidTokenError(call);
}

const findToken = async (jar: LifecycleCall['jar'], secret: string): Promise<HeldToken | undefined> =>
  (await jar.apiTokens.find(secret)) ?? readerTokenWith(jar, secret);

function decide(call: LifecycleCall, token: HeldToken, user: User): Promise<Access> | Access {
  const needs: Needs = NEEDS[traitsOf(call.route).needs as NeedName];
  if (needs.of === 'app') return decideApp(call, token, user, needs);
  if (token.appId !== undefined) throw gateway.forbidden('a token of an app is valid for that app only');
  if (needs.of === 'org') return decideOrg(call, token, user, needs);
  requireFullToken(token, needs);
  return { token, user };
}

type AppNeeds = Extract<Needs, { of: 'app' }>;

async function decideApp(call: LifecycleCall, token: HeldToken, user: User, needs: AppNeeds): Promise<Access> {
  const { owner_name: ownerName = '', app_name: appName = '' } = call.params;
  const app: App | undefined = await findApp(call.jar.store, ownerName, appName);
  // Independent of whether the app exists, so that a token of one app does not reveal other apps.
  if (token.appId !== undefined && token.appId !== app?.id) throw gateway.otherApp();
  const standing = app && (await tokenStandingOf(call.jar.store, app, token));
  if (!app || !standing) throw gateway.notFound(call);
  requireFullToken(token, needs);
  // An app token acts for the app, not for the user who created it.
  const isAllowed =
    appRank(standing) >= appRank(needs.role) || (token.appId === undefined && namesSelf(call, user, needs));
  if (!isAllowed) throw gateway.forbidden(`this requires the role ${needs.role} in the app, and yours is ${standing}`);
  return { token, user, app, standing };
}

type OrgNeeds = Extract<Needs, { of: 'org' }>;

async function decideOrg(call: LifecycleCall, token: HeldToken, user: User, needs: OrgNeeds): Promise<Access> {
  const org: Org | undefined = await findOrg(call.jar.store, call.params.org_name ?? '');
  const orgRole: OrgRole | undefined = org && (await orgRoleOf(call.jar.store, org, user.id));
  if (!org || !orgRole) throw gateway.notFound(call);
  requireFullToken(token, needs);
  if (orgRank(orgRole) < orgRank(needs.role) && !namesSelf(call, user, needs)) {
    throw gateway.forbidden(`this requires the role ${needs.role} in the organization, and yours is ${orgRole}`);
  }
  return { token, user, org, orgRole };
}

function requireFullToken({ scope }: HeldToken, { readOnlyTokens }: Needs): void {
  if (scope === 'viewer' && !readOnlyTokens) {
    throw gateway.forbidden('a read-only token can only read crash data, analytics data and basic app information');
  }
}

function namesSelf({ params }: LifecycleCall, user: User, { orSelf }: Needs): boolean {
  return orSelf !== undefined && isSelf(user, orSelf, params[orSelf] ?? '');
}
