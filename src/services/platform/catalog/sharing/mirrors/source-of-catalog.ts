import type { Tx } from '../../../../../kernel/store/index.ts';
import { errors } from '../../../errors.ts';
import type { Actor } from '../../../jar.ts';
import { requireVisible } from '../../core/access.ts';
import { findChain } from '../../core/chain.ts';
import type { Securable } from '../../core/securables.ts';
import { profileOf } from '../providers/kind.ts';
import { readableShare, recipientBehind } from '../readable-shares.ts';
import { recipientOf } from '../recipients/tokens.ts';
import type { SharedFrom } from './shared-catalog.ts';

/** In the transaction that creates a catalog of a share: finds the provider and its share. Throws if either does not exist. */
export async function sourceOfCatalog(
  tx: Tx,
  call: Actor,
  metastore: Securable,
  names: { readonly provider: string; readonly share: string },
): Promise<SharedFrom> {
  const chain = await findChain(tx, metastore, 'provider', names.provider, { lock: 'share' });
  requireVisible(call, chain);
  const { jar } = call;
  const profile = profileOf(jar, chain.target);
  const recipient = profile
    ? await recipientOf(tx, profile.bearer, jar.clock.now())
    : await recipientBehind(tx, chain.target, metastore);
  if (profile && !recipient)
    throw errors.INVALID_STATE({
      reason: `The provider '${chain.target.name}' is outside of this platform (${profile.endpoint}): its shares can be read by the open protocol, but not as a catalog.`,
    });
  const share = recipient && (await readableShare(tx, recipient, names.share));
  if (!recipient || !share)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `Share '${names.share.slice(0, 255)}' of provider '${chain.target.name}' does not exist.`,
    });
  return { provider: chain.target.id, share: share.id, recipient: recipient.id };
}
