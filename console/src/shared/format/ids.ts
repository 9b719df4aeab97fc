const SHORT = 16;

/** An id shortened in its middle, because ids differ at both ends. */
export function shortId(id: string, length = SHORT): string {
  if (id.length <= length) return id;
  const head = Math.ceil((length - 1) / 2);
  return `${id.slice(0, head)}…${id.slice(id.length - (length - 1 - head))}`;
}

/** The last segment of a resource id or path. */
export const lastSegment = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path;

const GUID = /\b([0-9a-f]{4})[0-9a-f]{4}-(?:[0-9a-f]{4}-){3}[0-9a-f]{8}([0-9a-f]{4})\b/gi;

/** A path with its ids shortened, so that its end is seen. */
export const shortPath = (path: string): string => path.replace(GUID, '$1…$2');
