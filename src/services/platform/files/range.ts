/** A parsed `Content-Range` of an upload: the sent bytes and the total size. */
export interface SentRange {
  /** Absent: the request has no bytes and asks for the progress. */
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
  // An empty range, or one beyond the total.
  if (from !== undefined && (Number(to) < Number(from) || (total !== undefined && Number(to) >= Number(total))))
    return undefined;
  return {
    ...(from !== undefined && { from: Number(from), to: Number(to) }),
    ...(total !== undefined && { total: Number(total) }),
  };
}
