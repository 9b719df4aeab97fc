import type { ViewContext } from '../engine/kind.ts';
import type { PlatformObject } from '../engine/objects.ts';

const GONE = 'Unavailable';

/** Views show this text in place of the name of a deleted principal. */
export const shownName = (id: string, { nameOf }: ViewContext): string => (nameOf(id) === id ? GONE : nameOf(id));

export const ownerName = ({ createdBy, owner = createdBy }: PlatformObject, context: ViewContext): string =>
  shownName(owner, context);
