import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, type Reader, type Tx } from '../../../kernel/store/index.ts';
import {
  ACCOUNT_ADMIN,
  identityVersions,
  memberships,
  type Principal,
  principalKey,
  principals,
  type Workspace,
} from '../accounts/collections.ts';

/** A principal with all groups that contain it, directly or through other groups. */
export interface CallerIdentity {
  readonly principal: Principal;
  /** Ids of the groups. */
  readonly groups: ReadonlySet<string>;
  /** Ids of the principal and its groups: permissions can be granted to any of them. */
  readonly ids: readonly string[];
  readonly isAccountAdmin: boolean;
}

export const isAdminOf = ({ groups }: CallerIdentity, { adminsGroup }: Pick<Workspace, 'adminsGroup'>): boolean =>
  groups.has(adminsGroup);

export const isMemberOf = (standing: CallerIdentity, workspace: Workspace): boolean =>
  standing.groups.has(workspace.usersGroup) || isAdminOf(standing, workspace);

/** Name of the principal in messages. */
export const nameOf = ({ userName, applicationId, displayName, id }: Principal): string =>
  userName ?? applicationId ?? displayName ?? id;

const REMEMBERED = 10_000;

/** Standings of callers. The cache is valid until a principal of the account changes, on any node. */
export class Standings {
  readonly #jar: Pick<Jar, 'store'>;
  readonly #known = new Map<string, { readonly version: string; readonly standing: CallerIdentity }>();

  constructor(jar: Pick<Jar, 'store'>) {
    this.#jar = jar;
  }

  async of(accountId: string, id: string): Promise<CallerIdentity | undefined> {
    const { store } = this.#jar;
    const version = (await store.cached(identityVersions, accountId))?.etag ?? '';
    const key = principalKey(accountId, id);
    const known = this.#known.get(key);
    if (known?.version === version) return known.standing;
    const standing = await readStanding(store, accountId, id);
    if (!standing) return undefined;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(key, { version, standing });
    return standing;
  }

  /** For use in a transaction, which must not await anything but the store: reads the cache, otherwise the transaction. */
  async within(tx: Tx, accountId: string, id: string): Promise<CallerIdentity | undefined> {
    const version = this.#jar.store.peek(identityVersions, accountId)?.etag;
    const known = this.#known.get(principalKey(accountId, id));
    return version !== undefined && known?.version === version ? known.standing : readStanding(tx, accountId, id);
  }

  forget(): void {
    this.#known.clear();
  }
}

/** Reads the current state from the store. */
export async function readStanding(reader: Reader, accountId: string, id: string): Promise<CallerIdentity | undefined> {
  const principal = (await reader.get(principals, principalKey(accountId, id), 'none'))?.value;
  if (!principal) return undefined;
  const groups = await groupsAbove(reader, accountId, id);
  let isAccountAdmin = principal.roles.includes(ACCOUNT_ADMIN);
  for (const group of groups) {
    if (isAccountAdmin) break;
    const roles = (await reader.get(principals, principalKey(accountId, group), 'none'))?.value.roles;
    isAccountAdmin = roles?.includes(ACCOUNT_ADMIN) ?? false;
  }
  return { principal, groups, ids: [id, ...groups], isAccountAdmin };
}

/** Walks upwards level by level; a group already seen is not walked again, so that a cycle terminates. */
async function groupsAbove(reader: Reader, accountId: string, id: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let level = [id];
  while (level.length > 0) {
    const values = level.map((each) => principalKey(accountId, each));
    const filter = { op: 'in', field: 'member', values } as const;
    level = [];
    for await (const page of pagesOf(reader, memberships, { filter })) {
      for (const { value } of page) {
        if (found.has(value.group)) continue;
        found.add(value.group);
        level.push(value.group);
      }
    }
  }
  return found;
}
