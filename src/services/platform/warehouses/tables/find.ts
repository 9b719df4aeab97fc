import type { Reader } from '../../../../kernel/store/index.ts';
import { accounts, workspaces } from '../../accounts/collections.ts';
import { requirePrivilege, requireReachable } from '../../catalog/core/access.ts';
import { type Chain, findChain, fullNameOf } from '../../catalog/core/chain.ts';
import { metastoreAssignments } from '../../catalog/core/collections.ts';
import { DEFAULT_CATALOG } from '../../catalog/core/found-metastore.ts';
import { metastoreIn } from '../../catalog/core/metastore.ts';
import type { Privilege } from '../../catalog/core/privileges.ts';
import type { Securable } from '../../catalog/core/securables.ts';
import type { Actor, PlatformJar } from '../../jar.ts';
import { problems } from '../sql/problem.ts';
import type { Session } from '../sql/session.ts';
import type { ObjectName } from '../sql/statement-syntax.ts';
import { isCode } from './refusals.ts';

/** The user who runs a statement, and its session. */
export interface Acting extends Actor {
  readonly session: Session;
}

/** The principal that work acts as; undefined if it no longer exists. */
export async function actorFor(jar: PlatformJar, workspaceId: string, principal: string): Promise<Actor | undefined> {
  const workspace = (await jar.store.cached(workspaces, workspaceId))?.value;
  const account = workspace && (await jar.store.cached(accounts, workspace.accountId))?.value;
  const standing = account && (await jar.callerIdentities.of(account.id, principal));
  return workspace && account && standing ? { jar, facts: { account, workspace, standing } } : undefined;
}

/** The default catalog of statements. */
export async function defaultCatalog({ jar, facts }: Actor): Promise<string> {
  const assigned = await jar.store.cached(metastoreAssignments, facts.workspace?.id ?? '');
  return assigned?.value.defaultCatalog ?? DEFAULT_CATALOG;
}

export const quotedName = (parts: readonly string[]): string => parts.map((part) => `\`${part}\``).join('.');

/** The parts of a full name. Missing parts come from the session. */
export function fullParts(
  { parts, at }: ObjectName,
  { catalog, schema }: Session,
  count: 1 | 2 | 3,
): readonly string[] {
  if (parts.length > count) throw problems.manyParts(quotedName(parts), count, at);
  return [...[catalog, schema].slice(0, count - parts.length), ...parts];
}

export interface FindTable {
  readonly reader?: Reader;
  readonly metastore?: Securable;
  readonly lock?: 'share' | 'update';
}

/**
 * A table or view on which the user has the required privilege. The error does not reveal the content of a schema that the user may not
 * use.
 */
export async function findTable(
  acting: Acting,
  name: ObjectName,
  privilege: Privilege,
  { reader = acting.jar.store, metastore, lock }: FindTable = {},
): Promise<Chain> {
  const parts = fullParts(name, acting.session, 3);
  try {
    const top = metastore ?? (await metastoreIn(acting));
    const schema = await findChain(reader, top, 'schema', parts.slice(0, 2).join('.'));
    requireReachable(acting, schema, { writes: privilege === 'MODIFY' });
    requirePrivilege(acting, schema, 'USE_SCHEMA');
    const chain = await findChain(reader, top, 'table', parts.join('.'), lock ? { lock } : {});
    requirePrivilege(acting, chain, privilege);
    return chain;
  } catch (error) {
    if (isCode(error, '_DOES_NOT_EXIST')) throw problems.noTable(quotedName(name.parts), name.at);
    throw error;
  }
}

export const shownName = (chain: Chain): string => quotedName(fullNameOf(chain).split('.'));
