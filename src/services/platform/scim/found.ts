import type { Reader } from '../../../kernel/store/index.ts';
import { assignedByGroups, isAssigned } from '../accounts/assign.ts';
import type { Principal } from '../accounts/collections.ts';
import { principalOf } from '../accounts/principals.ts';
import { RESOURCE_KINDS } from './attributes.ts';
import { missing } from './errors.ts';
import type { ScimPlace } from './place.ts';

/**
 * Decides which principals are visible to calls of a place. Membership of a workspace through groups is read once, and only if a principal
 * is not assigned directly.
 */
export class Visibility {
  readonly #reader: Reader;
  readonly #place: Pick<ScimPlace, 'workspace'>;
  #byGroups: ReadonlySet<string> | undefined;

  constructor(reader: Reader, place: Pick<ScimPlace, 'workspace'>) {
    this.#reader = reader;
    this.#place = place;
  }

  async has(principal: Principal): Promise<boolean> {
    const { workspace } = this.#place;
    if (!workspace) return principal.workspaceId === undefined;
    if (principal.workspaceId !== undefined) return principal.workspaceId === workspace.id;
    if (isAssigned(principal, workspace.id)) return true;
    this.#byGroups ??= (await assignedByGroups(this.#reader, workspace)) ?? new Set();
    return this.#byGroups.has(principal.id);
  }
}

export async function findResource(reader: Reader, place: ScimPlace, id: string): Promise<Principal> {
  const found = await principalOf(reader, place.account.id, id);
  if (found?.kind === place.kind && (await new Visibility(reader, place).has(found))) return found;
  throw missing(RESOURCE_KINDS[place.kind].title, id);
}
