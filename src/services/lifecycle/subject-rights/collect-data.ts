import type { Jar } from '../../../kernel/service/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { findOwnerAccount } from '../access/find.ts';
import { appMembers, apps, invitations, orgMembers, orgs, teamMembers, teams, tokens, users } from '../collections.ts';
import { distributionGroups, testers } from '../distribution/collections.ts';

/** All data stored about a person, except secrets. Returns undefined if the account no longer exists. */
export async function collectData(jar: Jar, userId: string) {
  const { store } = jar;
  const user = (await store.get(users, userId))?.value;
  if (!user) return undefined;
  const ofUser = eq('userId', userId);
  const ofAddress = eq('email', user.email.toLowerCase());
  return {
    user: {
      id: user.id,
      name: user.name,
      display_name: user.displayName,
      email: user.email,
      avatar_url: user.avatarUrl,
      created_at: user.createdAt,
    },
    organizations: await each(
      await readAll(store, orgMembers, { filter: ofUser }),
      async ({ orgId, role, joinedAt }) => {
        const org = (await store.get(orgs, orgId))?.value;
        return org && { name: org.name, role, joined_at: joinedAt };
      },
    ),
    teams: await each(await readAll(store, teamMembers, { filter: ofUser }), async ({ teamId, role }) => {
      const team = (await store.get(teams, teamId))?.value;
      return team && { name: team.name, role };
    }),
    apps: await each(await readAll(store, appMembers, { filter: ofUser }), async ({ appId, role, joinedAt }) => {
      const app = (await store.get(apps, appId))?.value;
      const owner = app && (await findOwnerAccount(store, app.owner));
      return app && { owner: owner?.name ?? app.owner.id, name: app.name, role, joined_at: joinedAt };
    }),
    api_tokens: await each(
      await readAll(store, tokens, { filter: ofUser }),
      async ({ id, description, scope, createdAt }) => ({
        id,
        description: description ?? null,
        scope: [scope],
        created_at: createdAt,
      }),
    ),
    invitations: await each(
      await readAll(store, invitations, { filter: ofAddress }),
      async ({ id, role, createdAt }) => ({
        id,
        role,
        created_at: createdAt,
      }),
    ),
    distribution_groups: await each(
      await readAll(store, testers, { filter: ofAddress }),
      async ({ groupId, addedAt }) => {
        const group = (await store.get(distributionGroups, groupId))?.value;
        return group && { name: group.name, added_at: addedAt };
      },
    ),
  };
}

/** Processes items sequentially; undefined results are omitted. */
async function each<T, R>(
  stored: readonly { readonly value: T }[],
  view: (value: T) => Promise<R | undefined>,
): Promise<R[]> {
  const views: R[] = [];
  for (const { value } of stored) {
    const shown = await view(value);
    if (shown !== undefined) views.push(shown);
  }
  return views;
}
