import type { Static } from 'typebox';
import { type Answer, created } from '../../../kernel/http/index.ts';
import { retryHeaders, type WindowLimit } from '../../../kernel/limits/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import { formatDuration } from '../../../kernel/time/index.ts';
import { orgOf, userOf } from '../access/access.ts';
import { recordChange } from '../accounts/changes.ts';
import { holdAccount } from '../accounts/current-account.ts';
import { makeApp } from '../accounts/make.ts';
import { checkName, nameFor } from '../accounts/names.ts';
import type { App, Owner } from '../collections.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { APPS_PER_DAY, APPS_PER_HOUR } from '../limits.ts';
import { holdMembership } from '../orgs/current-rights.ts';
import { NewAppBody } from './fields.ts';
import { AppView, appView } from './shape.ts';

export const createApp = routeCode([], {
  body: NewAppBody,
  responses: { 201: AppView },
  handle: (call) => create(call, { kind: 'user', id: userOf(call).id }, call.body),
});

export const createOrgApp = routeCode([], {
  body: NewAppBody,
  responses: { 201: AppView },
  handle: (call) => create(call, { kind: 'org', id: orgOf(call).id }, call.body),
});

async function create(call: Call, owner: Owner, body: Static<typeof NewAppBody>): Promise<Answer> {
  const { jar } = call;
  const name = body.name ?? nameFor(body.display_name);
  checkName(name);
  await countCreation(jar, owner, userOf(call).name);
  const wanted = {
    name,
    displayName: body.display_name,
    description: body.description ?? null,
    releaseType: body.release_type || null,
    os: body.os,
    platform: body.platform,
    owner,
  };
  const createdAt = new Date(jar.clock.now()).toISOString();
  const makerId = userOf(call).id;
  const app: App = await jar.store.transact(async (tx) => {
    await holdAccount(tx, makerId);
    if (owner.kind === 'org') await holdMembership(tx, call);
    const made = await makeApp(tx, jar, wanted, makerId, createdAt);
    await recordChange(tx, jar, 'write', `lifecycle/apps/${made.id}`, { name, owner: { ...owner } });
    return made;
  });
  // A caller who may create an app for this owner is either the owner or becomes its manager.
  const standing = owner.kind === 'user' ? 'administrator' : 'manager';
  return created(await appView(call, { app, standing }));
}

const PACE: readonly WindowLimit[] = [APPS_PER_HOUR, APPS_PER_DAY];

async function countCreation({ limits }: Jar, owner: Owner, userName: string): Promise<void> {
  const uses = PACE.map((limit) => ({ limit, scope: [owner.id] }));
  const decision = await limits.take(uses, { id: userName });
  if (decision.allowed) return;
  const { maximum, windowMs } = limits.overrides.of(decision.refusedBy ?? APPS_PER_HOUR, [owner.id]);
  const wait = `try again in ${decision.retryAfterSeconds} s`;
  const reason = `An owner can create at most ${maximum} apps in ${formatDuration(windowMs)}; ${wait}.`;
  throw errors.RateLimitExceeded({ reason }, { headers: retryHeaders(decision) });
}
