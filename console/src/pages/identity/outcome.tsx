import { Badge } from '../../shared/ui/badge.tsx';
import type { SignIn } from './directory.ts';

/** The result of a sign-in: the number that client libraries show, if it failed. */
export function Outcome({ signIn: { outcome, error } }: { readonly signIn: SignIn }) {
  return <Badge tone={error ? 'failure' : 'success'}>{error ? `AADSTS${error.number}` : outcome}</Badge>;
}
