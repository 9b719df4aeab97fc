import { compareScalars } from '../../../kernel/store/index.ts';
import type { Principal, PrincipalKind } from '../accounts/collections.ts';
import { isActiveIn } from './view.ts';

/** Sort orders of lists by attributes without a column. */

type SortKey = (principal: Principal) => string | undefined;

/** For a multi-valued attribute, the primary value decides, otherwise the first (RFC 7644, 3.4.2.3). */
const email: SortKey = ({ emails = [] }) => (emails.find(({ primary }) => primary) ?? emails[0])?.value;

export function sortKey(kind: PrincipalKind, name: string, workspaceId: string | undefined): SortKey | undefined {
  if (kind !== 'group' && name === 'active') return (principal) => String(isActiveIn(principal, workspaceId));
  if (kind !== 'user') return undefined;
  switch (name) {
    case 'name.givenname':
      return (principal) => principal.name?.givenName;
    case 'name.familyname':
      return (principal) => principal.name?.familyName;
    case 'emails':
    case 'emails.value':
      return email;
    default:
      return undefined;
  }
}

/** Case-insensitive. Principals without a value come last, or first in descending order. */
export const comparing = (key: SortKey, descending: boolean): ((a: Principal, b: Principal) => number) => {
  const sign = descending ? -1 : 1;
  return (a, b) => {
    const [left, right] = [key(a)?.toLowerCase(), key(b)?.toLowerCase()];
    if (left === undefined || right === undefined)
      return sign * (Number(left === undefined) - Number(right === undefined));
    return sign * compareScalars(left, right);
  };
};
