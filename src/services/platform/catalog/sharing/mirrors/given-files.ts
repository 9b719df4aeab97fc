import { textOf } from '../../../engine/json.ts';
import { errors } from '../../../errors.ts';
import type { PlatformJar } from '../../../jar.ts';
import { holds } from '../../core/access.ts';
import { byId, type Chain, chainById, fullNameOf } from '../../core/chain.ts';
import { dataIdOf, type Securable, SYSTEM_USER } from '../../core/securables.ts';
import type { TableFile } from '../../tables/collections.ts';
import { sharedObjects } from '../collections.ts';
import { partitionRule } from '../protocol/partitions.ts';
import { sharedFrom } from './shared-catalog.ts';

/** The readable part of a table in a catalog of a share. */
export interface ReadableFiles {
  /** Whether a file belongs to the partitions that the share grants. Undefined: all files do. */
  readonly isGiven: ((file: TableFile) => boolean) | undefined;
  /** The first shared version. Undefined: only the newest version is shared. */
  readonly firstVersion: number | undefined;
}

/** Access lasts as long as the owner of the share may read the table. Returns undefined for a table that is not shared. */
export async function readableFiles(
  jar: Pick<PlatformJar, 'store' | 'callerIdentities'>,
  chain: Chain,
): Promise<ReadableFiles | undefined> {
  const dataId = dataIdOf(chain.target);
  if (dataId === chain.target.id) return undefined;
  const { store } = jar;
  const from = chain.above.map(sharedFrom).find((each) => each !== undefined);
  const [share, recipient, source] = [
    await byId(store, from?.share ?? ''),
    await byId(store, from?.recipient ?? ''),
    await chainById(store, dataId),
  ];
  const object = (await store.get(sharedObjects, textOf(chain.target.extra?.object) ?? '', 'none'))?.value;
  if (!share || !recipient || !source || !object || !(await ownerReads(jar, share, source)))
    throw errors.PERMISSION_DENIED({
      reason: `The provider does not share '${fullNameOf(chain)}' any more: the owner of the share has lost access, or the share or the table was removed.`,
    });
  // Here the table has no row filter; reading it would reveal rows that the provider's filter hides.
  if (source.target.fields.row_filter !== undefined)
    throw errors.PERMISSION_DENIED({
      reason: `'${fullNameOf(chain)}' has a row filter at its provider, which is not supported: it cannot be read.`,
    });
  const { history_data_sharing_status: history, cdf_enabled: changes, start_version: start } = object.fields;
  const isHistoryShared = history === 'ENABLED' || changes === true;
  return {
    isGiven: partitionRule(object, recipient),
    firstVersion: isHistoryShared ? (typeof start === 'number' ? start : 0) : undefined,
  };
}

async function ownerReads(
  { callerIdentities }: Pick<PlatformJar, 'callerIdentities'>,
  share: Securable,
  source: Chain,
): Promise<boolean> {
  if (share.owner === SYSTEM_USER) return true;
  const standing = await callerIdentities.of(share.accountId, share.owner);
  return standing !== undefined && holds(standing, source, 'SELECT');
}
