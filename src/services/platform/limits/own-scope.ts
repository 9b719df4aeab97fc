import { type Limit, sourceOf } from '../../../kernel/limits/index.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';

type OwnCall = Pick<PlatformCall, 'facts' | 'remoteAddress'>;

/** The caller's value for each part of a scope that depends on the caller. */
const PARTS: Readonly<Partial<Record<string, (call: OwnCall) => string>>> = {
  workspace: (call) => workspaceIn(call).id,
  account: (call) => accountIn(call).id,
  region: (call) => workspaceIn(call).region,
  address: ({ remoteAddress }) => sourceOf(remoteAddress),
  principal: (call) => callerIdentity(call).principal.id,
};

/** The caller's values for a limit's scope; '' for parts that name an object. Overrides for these parts apply to that object only. */
export const ownScope = (call: OwnCall, limit: Pick<Limit, 'scope'>): readonly string[] =>
  limit.scope.map((part) => PARTS[part]?.(call) ?? '');

/** The same by name, without the parts that name an object. */
export const namedOwnScope = (call: OwnCall, limit: Pick<Limit, 'scope'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    limit.scope.flatMap((part) => {
      const value = PARTS[part]?.(call);
      return value === undefined ? [] : [[part, value]];
    }),
  );
