import { shortId } from '../../shared/format/ids.ts';

const LENGTH = 56;

/** What a piece of work is about: often a long path, whose beginning and end tell most. */
export const Subject = ({ of }: { readonly of: string }) => <span title={of}>{shortId(of, LENGTH)}</span>;
