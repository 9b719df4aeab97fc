/** What a `Content-Range` of an upload says: which bytes come, and how many there will be. */
export interface SentRange {
  /** Absent: no bytes come, the client asks how far the upload is. */
  readonly from?: number;
  readonly to?: number;
  /** Absent: not known yet. */
  readonly total?: number;
}

const SENT = /^bytes (?:\*|(\d{1,15})-(\d{1,15}))\/(?:\*|(\d{1,15}))$/;

export function sentRangeOf(header: string | string[] | undefined): SentRange | undefined {
  const found = typeof header === 'string' ? SENT.exec(header.trim()) : null;
  if (!found) return undefined;
  const [, from, to, total] = found;
  // No bytes at all, or more than there will be.
  if (from !== undefined && (Number(to) < Number(from) || (total !== undefined && Number(to) >= Number(total))))
    return undefined;
  return {
    ...(from !== undefined && { from: Number(from), to: Number(to) }),
    ...(total !== undefined && { total: Number(total) }),
  };
}
