import type { Json } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import type { Addition } from './kind.ts';
import type { Securable } from './securables.ts';

/** Effect of the requested isolation mode. A securable that becomes isolated is bound to the workspace of the call. */
export function isolationOf(
  { facts }: Pick<PlatformCall, 'facts'>,
  mode: Json | undefined,
  before: Securable | undefined,
): Pick<Addition, 'bindings'> {
  if (typeof mode !== 'string') return {};
  if (!mode.endsWith('ISOLATED')) return { bindings: null };
  return { bindings: before?.bindings ?? (facts.workspace ? [{ workspace: facts.workspace.id }] : []) };
}
