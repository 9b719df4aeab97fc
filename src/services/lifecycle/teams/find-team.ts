import type { Call } from '../../../kernel/service/index.ts';
import { eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { accessOf, orgOf } from '../access/access.ts';
import { pair, type Team, teamMembers, teams } from '../collections.ts';
import { errors, gateway } from '../errors.ts';
import { requireOrgRole } from '../orgs/current-rights.ts';

type TeamCall = Pick<Call<{ readonly team_name: string }>, 'facts' | 'params' | 'correlationId'>;

export async function findTeam(reader: Reader, call: TeamCall): Promise<Team> {
  const name = call.params.team_name;
  const org = orgOf(call);
  const team = await teamOfName(reader, org.id, name);
  if (team) return team;
  throw errors.NotFound({ reason: `There is no team '${name.slice(0, 100)}' in the organization '${org.name}'.` });
}

export async function teamOfName(reader: Reader, orgId: string, name: string): Promise<Team | undefined> {
  const filter = { op: 'and', args: [eq('orgId', orgId), eq('name', name.toLowerCase())] } as const;
  return (await reader.query(teams, { filter, limit: 1 })).items[0]?.value;
}

/** Locks the team until the transaction ends. The caller must be a maintainer of the team or an admin. */
export async function changeableTeam(tx: Tx, call: TeamCall): Promise<Team> {
  const team = await heldTeam(tx, call);
  const { user } = accessOf(call);
  if ((await requireOrgRole(tx, call, 'member')) === 'admin') return team;
  const member = (await tx.get(teamMembers, pair(team.id, user.id), 'none'))?.value;
  if (member?.role === 'maintainer') return team;
  throw gateway.forbidden(`only maintainers of the team and admins of the organization can change it`);
}

/** Found by name, then read by id with a lock, so that a concurrent deletion is noticed. */
export async function heldTeam(tx: Tx, call: TeamCall): Promise<Team> {
  const { id } = await findTeam(tx, call);
  const held = (await tx.get(teams, id))?.value;
  return held ?? findTeam(tx, call);
}
