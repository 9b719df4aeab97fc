import { type Limit, sourceOf } from '../../../kernel/limits/index.ts';
import { accountIn, type PlatformCall, standingIn, workspaceIn } from '../jar.ts';

type OwnCall = Pick<PlatformCall, 'facts' | 'remoteAddress'>;

/** What each part of a scope is for a caller, as far as the caller decides it. */
const PARTS: Readonly<Partial<Record<string, (call: OwnCall) => string>>> = {
  workspace: (call) => workspaceIn(call).id,
  account: (call) => accountIn(call).id,
  region: (call) => workspaceIn(call).region,
  address: ({ remoteAddress }) => sourceOf(remoteAddress),
  principal: (call) => standingIn(call).principal.id,
};

/** The values of a limit's scope for a caller; '' for parts that name one object. Overrides of those apply to that object only. */
export const ownScope = (call: OwnCall, limit: Pick<Limit, 'scope'>): readonly string[] =>
  limit.scope.map((part) => PARTS[part]?.(call) ?? '');

/** The same by name, without the parts that name one object. */
export const namedOwnScope = (call: OwnCall, limit: Pick<Limit, 'scope'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    limit.scope.flatMap((part) => {
      const value = PARTS[part]?.(call);
      return value === undefined ? [] : [[part, value]];
    }),
  );
