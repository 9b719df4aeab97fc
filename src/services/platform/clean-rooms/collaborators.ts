import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { accounts, type Workspace, workspaces } from '../accounts/collections.ts';
import { byLogin } from '../accounts/principals.ts';
import { byId } from '../catalog/core/chain.ts';
import { metastoreAssignments } from '../catalog/core/collections.ts';
import { catalogErrors } from '../catalog/core/errors.ts';
import { metastoreOfWorkspace } from '../catalog/core/metastore.ts';
import { checkName } from '../catalog/core/names.ts';
import { type Securable, SYSTEM_USER } from '../catalog/core/securables.ts';
import { globalIdOf, metastoreIdIn } from '../catalog/sharing/global-id.ts';
import type { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';

/** Collaborators of a new clean room. */

/** The creator and up to nine others. */
const MOST_COLLABORATORS = 10;
const LONGEST_TEXT = 255;

interface SentCollaborator {
  readonly alias: string;
  readonly globalId?: string;
  readonly email?: string;
  readonly workspaceId?: string;
  readonly displayName?: string;
}

/** A collaborator with the metastore it takes part with. */
export interface Party extends SentCollaborator {
  readonly metastore: Securable;
  readonly isCreator: boolean;
}

const refused = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export function readCollaborators(detail: Sent): readonly SentCollaborator[] {
  const sent = detail.list('collaborators') ?? [];
  if (sent.length === 0)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'remote_detailed_info.collaborators' });
  if (sent.length > MOST_COLLABORATORS)
    throw refused(`A clean room can have at most ${MOST_COLLABORATORS} collaborators, including its creator.`);
  const found = sent.map(readCollaborator);
  const twice = found.find(({ alias }, index) => found.some((each, at) => at < index && each.alias === alias));
  if (twice) throw refused(`Two collaborators have the alias '${twice.alias}'.`);
  return found;
}

function readCollaborator(sent: Sent): SentCollaborator {
  const alias = checkName('clean_room', sent.need('collaborator_alias'));
  const globalId = short(sent, 'global_metastore_id');
  const email = short(sent, 'invite_recipient_email');
  const workspaceId = sent.whole('invite_recipient_workspace_id');
  const displayName = short(sent, 'display_name');
  if (email !== undefined && workspaceId === undefined)
    throw refused(`The collaborator '${alias}' has an invite_recipient_email but no invite_recipient_workspace_id.`);
  if (globalId === undefined && workspaceId === undefined)
    throw refused(`The collaborator '${alias}' needs a global_metastore_id or an invite_recipient_workspace_id.`);
  return {
    alias,
    ...(globalId !== undefined && { globalId }),
    ...(email !== undefined && { email }),
    ...(workspaceId !== undefined && { workspaceId: String(workspaceId) }),
    ...(displayName !== undefined && { displayName }),
  };
}

function short(sent: Sent, name: string): string | undefined {
  const value = sent.text(name);
  if (value !== undefined && value.length > LONGEST_TEXT)
    throw refused(`The field '${name}' must be at most ${LONGEST_TEXT} characters.`);
  return value === '' ? undefined : value;
}

/** Finds the metastore of each collaborator. Exactly one of them is the creator: it has the creator's metastore and no invitation. */
export async function findParties(
  jar: PlatformJar,
  own: Securable,
  sent: readonly SentCollaborator[],
): Promise<readonly Party[]> {
  const parties: Party[] = [];
  for (const each of sent) {
    const metastore = await metastoreOfCollaborator(jar, each);
    parties.push({ ...each, metastore, isCreator: metastore.id === own.id && each.email === undefined });
  }
  if (parties.filter(({ isCreator }) => isCreator).length !== 1)
    throw refused(
      `Exactly one collaborator must be the creator: with the global_metastore_id '${globalIdOf(own)}' and without an invite_recipient_email.`,
    );
  return parties;
}

async function metastoreOfCollaborator(jar: PlatformJar, sent: SentCollaborator): Promise<Securable> {
  const { alias, globalId, workspaceId } = sent;
  const invited = workspaceId === undefined ? undefined : await metastoreOfInvited(jar, alias, workspaceId);
  if (globalId === undefined) return invited as Securable;
  const id = metastoreIdIn(globalId);
  if (id === undefined)
    throw refused(`'${globalId.slice(0, 200)}' is not a global metastore id; the form is <cloud>:<region>:<uuid>.`);
  const found = await byId(jar.store, id);
  if (found?.kind !== 'metastore' || globalIdOf(found) !== globalId)
    throw catalogErrors.METASTORE_DOES_NOT_EXIST({
      reason: `There is no metastore with the global id '${globalId.slice(0, 200)}'.`,
    });
  if (invited && invited.id !== found.id)
    throw refused(
      `The workspace ${workspaceId} of the collaborator '${alias}' does not use the metastore ${globalId}.`,
    );
  return found;
}

async function metastoreOfInvited(jar: PlatformJar, alias: string, workspaceId: string): Promise<Securable> {
  const workspace = (await jar.store.get(workspaces, workspaceId))?.value;
  const account = workspace && (await jar.store.get(accounts, workspace.accountId))?.value;
  if (!workspace || !account)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `The workspace ${workspaceId} to which the collaborator '${alias}' is invited does not exist.`,
    });
  return metastoreOfWorkspace(jar, account, workspace);
}

/** The owner of an invited collaborator's clean room: the invited user, otherwise the administrators of the metastore. */
export async function ownerOf(tx: Tx, { metastore, email, workspaceId }: Party): Promise<string> {
  const invited = email === undefined ? undefined : await byLogin(tx, metastore.accountId, 'user', email);
  if (invited) return invited.id;
  if (metastore.owner !== SYSTEM_USER) return metastore.owner;
  const workspace =
    workspaceId === undefined
      ? await firstWorkspaceOf(tx, metastore.id)
      : (await tx.get(workspaces, workspaceId, 'none'))?.value;
  return workspace?.adminsGroup ?? SYSTEM_USER;
}

async function firstWorkspaceOf(reader: Reader, metastore: string): Promise<Workspace | undefined> {
  const filter = { op: 'eq', field: 'metastore', value: metastore } as const;
  const { items } = await reader.query(metastoreAssignments, { filter, limit: 1 });
  const id = items[0]?.value.workspaceId;
  return id === undefined ? undefined : (await reader.get(workspaces, id, 'none'))?.value;
}
