import { type Collection, collection, number } from '../../kernel/store/index.ts';

/** A one-time link that was used, kept until the link would have expired. */
interface UsedLink {
  readonly expiresAt: number;
}

/** Permanent, so that a link cannot be used again after a reset. */
export const usedLinks: Collection<UsedLink> = collection<UsedLink>('control.console_links_used', {
  permanent: true,
  fields: { expiresAt: number(({ expiresAt }) => expiresAt) },
  indexes: [['expiresAt']],
});
