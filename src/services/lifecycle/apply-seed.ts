import { ConfigError } from '../../kernel/config/index.ts';
import { ApiError } from '../../kernel/http/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { eq, type Tx } from '../../kernel/store/index.ts';
import { secretHashOf, seededSecret } from './access/secrets.ts';
import { makeApp, makeOrg, makeUser, putAppMember, putOrgMember } from './accounts/make.ts';
import { apps, type Org, orgMembers, pair, tokens, type User } from './collections.ts';
import type { SeedContent } from './seed.ts';
import { putToken } from './tokens/manage.ts';

const mistake = (text: string, options?: ErrorOptions): ConfigError =>
  new ConfigError(`seed file: lifecycle: ${text}`, options);

/** Applies the seed by the rules of the API: an entry that the API would reject is a mistake in the seed. */
export async function applySeed(tx: Tx, content: SeedContent, jar: Jar, now: string): Promise<void> {
  try {
    await new Seeding(tx, jar, now).apply(content);
  } catch (error) {
    if (error instanceof ApiError) throw mistake(error.message, { cause: error });
    throw error;
  }
}

class Seeding {
  readonly #users = new Map<string, User>();
  readonly #orgs = new Map<string, { readonly org: Org; readonly admin: User }>();
  readonly #tx: Tx;
  readonly #jar: Jar;
  readonly #now: string;

  constructor(tx: Tx, jar: Jar, now: string) {
    this.#tx = tx;
    this.#jar = jar;
    this.#now = now;
  }

  async apply({ users = [], organizations = [], apps = [] }: SeedContent): Promise<void> {
    for (const each of users) await this.#addUser(each);
    for (const each of organizations) await this.#addOrg(each);
    for (const each of apps) await this.#addApp(each);
  }

  async #addUser({ name, email, display_name: displayName = name, token }: Of<'users'>): Promise<void> {
    const user = await makeUser(this.#tx, { name, email, displayName }, this.#now);
    this.#users.set(name.toLowerCase(), user);
    if (token === undefined || token === false) return;
    const secret = token === true ? seededSecret(this.#jar.vault, name.toLowerCase()) : token;
    if (await this.#tx.get(tokens, secretHashOf(secret).id))
      throw mistake(`another user already has the token of '${name}'`);
    const wanted = { userId: user.id, scope: 'all', description: 'seeded' } as const;
    const seededFor = token === true && { seededFor: name.toLowerCase() };
    await putToken(this.#tx, this.#jar, wanted, { secret, createdAt: this.#now, ...seededFor });
  }

  async #addOrg({ name, display_name: displayName = name, admin, members = [] }: Of<'organizations'>): Promise<void> {
    const first = this.#user(admin);
    const org = await makeOrg(this.#tx, this.#jar, { name, displayName }, first.id, this.#now);
    this.#orgs.set(name.toLowerCase(), { org, admin: first });
    for (const { user, role } of members) {
      if (this.#user(user).id === first.id && role !== 'admin') {
        throw mistake(`'${user}' is the admin of '${name}', and cannot be a ${role}`);
      }
      await putOrgMember(this.#tx, this.#jar, {
        orgId: org.id,
        userId: this.#user(user).id,
        role,
        joinedAt: this.#now,
      });
    }
  }

  async #addApp(given: Of<'apps'>): Promise<void> {
    const { owner: ownerName, maker: makerName, name, display_name: displayName = name, os, platform, secret } = given;
    const owningOrg = this.#orgs.get(ownerName.toLowerCase());
    const maker = makerName === undefined ? (owningOrg?.admin ?? this.#user(ownerName)) : this.#user(makerName);
    const owner = owningOrg
      ? ({ kind: 'org', id: owningOrg.org.id } as const)
      : ({ kind: 'user', id: this.#user(ownerName).id } as const);
    const wanted = { name, displayName, os, platform, owner, ...(secret !== undefined && { secret }) };
    if (secret !== undefined && (await this.#tx.count(apps, { filter: eq('secret', secret.toLowerCase()) })) > 0) {
      throw mistake(`another app already has the secret of '${name}'`);
    }
    const app = await makeApp(this.#tx, this.#jar, wanted, maker.id, this.#now);
    if (owningOrg) await this.#joinOrg(owningOrg.org, maker);
    for (const { user: name, role } of given.collaborators ?? []) {
      const user = this.#user(name);
      if (user.id === maker.id && role !== 'manager') {
        throw mistake(`'${name}' is the first manager of '${wanted.name}', and cannot be a ${role}`);
      }
      await putAppMember(this.#tx, { appId: app.id, userId: user.id, role, joinedAt: this.#now });
      if (owningOrg) await this.#joinOrg(owningOrg.org, user);
    }
  }

  /** A collaborator on an organization's app must be at least a member of the organization. */
  async #joinOrg({ id: orgId }: Org, { id: userId }: User): Promise<void> {
    if (await this.#tx.get(orgMembers, pair(orgId, userId))) return;
    await putOrgMember(this.#tx, this.#jar, { orgId, userId, role: 'member', joinedAt: this.#now });
  }

  #user(name: string): User {
    const user = this.#users.get(name.toLowerCase());
    if (!user) throw mistake(`'${name}' is not among its users`);
    return user;
  }
}

type Of<Section extends keyof SeedContent> = NonNullable<SeedContent[Section]>[number];
