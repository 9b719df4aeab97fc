import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { freeCount, takeCounts } from '../../limits/take.ts';
import { requireManager, requireReachable } from '../core/access.ts';
import { type Chain, fullNameOf } from '../core/chain.ts';
import { record } from '../core/operations.ts';
import { modelScope, stateOf, withState } from './kind.ts';
import { changeModel, findVersion, putModel, versionNumber } from './versions.ts';

/** Letters, digits, underscores and dashes. `v1` and the word `latest` are refused, since they could be taken for versions. */
function checkAlias(alias: string): string {
  if (/^[\w-]{1,255}$/.test(alias) && !/^(?:v\d+|latest)$/i.test(alias)) return alias.toLowerCase();
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${alias.slice(0, 100)}' is not a valid alias: it must be 1 to 255 letters, digits, underscores and dashes, and neither 'latest' nor of the form v1.`,
  });
}

/** Points an alias to a version, replacing its previous target. */
export const setAlias = (call: PlatformCall, name: string, alias: string, version: () => string | number) =>
  changeModel(call, name, async (tx, chain) => {
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    const key = checkAlias(alias);
    const { version: found } = await findVersion(tx, chain, versionNumber(chain, version()));
    const { target: model } = chain;
    const { aliases } = stateOf(model);
    if (!Object.hasOwn(aliases, key))
      await takeCounts(tx, call.jar, [
        {
          row: 'model-aliases',
          scope: modelScope(model),
          message: (most) =>
            `Cannot create 1 RegisteredModelAlias(s) in RegisteredModel ${fullNameOf(chain)} (limit: ${most})`,
        },
      ]);
    const target = withState(model, { aliases: { ...aliases, [key]: found.version } });
    await putModel(tx, target);
    await record(tx, call, 'setAlias', chain, { alias: key, version: found.version });
    return { alias_name: key, version_num: found.version };
  });

export const deleteAlias = (call: PlatformCall, name: string, alias: string): Promise<void> =>
  changeModel(call, name, async (tx, chain) => {
    requireManager(call, chain);
    requireReachable(call, chain, { writes: true });
    const { [alias.toLowerCase()]: of, ...aliases } = stateOf(chain.target).aliases;
    if (of === undefined) throw noAlias(chain, alias);
    await freeCount(tx, call.jar, { row: 'model-aliases', scope: modelScope(chain.target) });
    await putModel(tx, withState(chain.target, { aliases }));
    await record(tx, call, 'deleteAlias', chain);
  });

/** The version that an alias points to. */
export function versionOfAlias(chain: Chain, alias: string): number {
  const { aliases } = stateOf(chain.target);
  const key = alias.toLowerCase();
  const version = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
  if (version === undefined) throw noAlias(chain, alias);
  return version;
}

const noAlias = (chain: Chain, alias: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `Alias '${alias.slice(0, 100)}' of RegisteredModel '${fullNameOf(chain)}' does not exist.`,
  });
