import { managementGroupIn } from '../../kernel/arm/index.ts';
import { groupErrors } from './errors.ts';

const LONGEST = 90;
const LONGEST_SHOWN = 120;
const ALLOWED = /^[A-Za-z0-9_().-]*$/;

/** Why a text cannot be the name of a group; undefined where it can. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (!ALLOWED.test(name))
    return 'only ASCII letters, digits, hyphens, underscores, parentheses and periods are allowed';
  return name.endsWith('.') ? 'it must not end with a period' : undefined;
}

export function checkName(name: string): void {
  const reason = nameProblem(name);
  if (reason !== undefined)
    throw groupErrors.BadRequest__Name({ name: name.slice(0, LONGEST_SHOWN), reason }, { target: 'groupId' });
}

/** The name of the group that an id stands for; a bare name stands for itself. */
export function groupNamedBy(id: string, target: string, aliases: readonly string[]): string {
  const name = id.includes('/') ? managementGroupIn(id, aliases) : id;
  if (name === undefined || nameProblem(name) !== undefined)
    throw groupErrors.BadRequest__GroupId({ id: id.slice(0, LONGEST_SHOWN) }, { target });
  return name;
}
