import type { ViewContext } from '../engine/kind.ts';
import type { PlatformObject } from '../engine/objects.ts';

const GONE = 'Unavailable';

/** Views show principals that were deleted since by this word instead of a name. */
export const shownName = (id: string, { nameOf }: ViewContext): string => (nameOf(id) === id ? GONE : nameOf(id));

export const ownerName = ({ createdBy, owner = createdBy }: PlatformObject, context: ViewContext): string =>
  shownName(owner, context);
