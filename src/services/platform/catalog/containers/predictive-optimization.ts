import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Chain } from '../core/chain.ts';
import { fullNameOf } from '../core/chain.ts';
import { wireType } from '../core/privileges.ts';

/** Whether the platform optimises tables on its own: set on a securable, or inherited from its parent. */
export function predictiveOptimization({ target, above }: Chain): JsonMembers {
  const own = target.fields.enable_predictive_optimization ?? 'INHERIT';
  const saying = [target, ...above].findIndex(
    ({ fields: { enable_predictive_optimization: said } }) => said !== undefined && said !== 'INHERIT',
  );
  const source = saying > 0 ? above[saying - 1] : undefined;
  const value = saying < 0 ? 'DISABLE' : [target, ...above][saying]?.fields.enable_predictive_optimization;
  return {
    enable_predictive_optimization: own,
    effective_predictive_optimization_flag: {
      value: value ?? 'DISABLE',
      ...(source && {
        inherited_from_type: wireType(source.kind),
        inherited_from_name: fullNameOf({ target: source, above: above.slice(saying) }),
      }),
    },
  };
}
