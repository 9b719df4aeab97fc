import { managementGroupIn } from '../../kernel/arm/index.ts';
import { groupErrors } from './errors.ts';

const LONGEST = 90;
const LONGEST_SHOWN = 120;
const ALLOWED = /^[A-Za-z0-9_().-]*$/;

/** Why a name is invalid; undefined if it is valid. */
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

/** The group name in an id, or the text itself if it is a bare name. */
export function groupNamedBy(id: string, target: string, aliases: readonly string[]): string {
  const name = id.includes('/') ? managementGroupIn(id, aliases) : id;
  if (name === undefined || nameProblem(name) !== undefined)
    throw groupErrors.BadRequest__GroupId({ id: id.slice(0, LONGEST_SHOWN) }, { target });
  return name;
}
