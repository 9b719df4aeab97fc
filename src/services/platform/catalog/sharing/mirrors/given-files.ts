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

/**
 * Which files of a table in a catalog of a share can be read: those of the partitions that the share gives, as long as whoever owns the share may read
 * the table. Undefined where that is all of them, as it is for a table that is not shared.
 */
export async function givenFiles(
  jar: Pick<PlatformJar, 'store' | 'standings'>,
  chain: Chain,
): Promise<((file: TableFile) => boolean) | undefined> {
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
      reason: `The provider does not give '${fullNameOf(chain)}' to read any more: the owner of its share has lost the right to, or it is gone.`,
    });
  return partitionRule(object, recipient);
}

async function ownerReads(
  { standings }: Pick<PlatformJar, 'standings'>,
  share: Securable,
  source: Chain,
): Promise<boolean> {
  if (share.owner === SYSTEM_USER) return true;
  const standing = await standings.of(share.accountId, share.owner);
  return standing !== undefined && holds(standing, source, 'SELECT');
}
