import { errors } from '../../errors.ts';

/** A range of bytes; `to` is exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** `bytes 0-2097151/3483322`. Any other form is rejected, since a misinterpreted range would corrupt the file. */
const CONTENT_RANGE = /^bytes (\d{1,10})-(\d{1,10})\/(\d{1,10})$/;

/** Validates the range of a body with `length` bytes in a file of `size` bytes. */
export function readRange(header: unknown, length: number, size: number): ByteRange {
  const found = typeof header === 'string' ? CONTENT_RANGE.exec(header) : null;
  if (!found) throw wrong("the header 'Content-Range' must have the form 'bytes 0-2097151/3483322'");
  const [first, last, total] = found.slice(1).map(Number) as [number, number, number];
  if (total !== size) throw wrong(`it states a file size of ${total} bytes; the session was created for ${size} bytes`);
  if (last < first || last >= total)
    throw wrong(`bytes ${first} to ${last} are not a range of a file of ${total} bytes`);
  if (last - first + 1 !== length) throw wrong(`it covers ${last - first + 1} bytes; the body has ${length}`);
  return { from: first, to: last + 1 };
}

const wrong = (problem: string): Error =>
  errors.ErrorInvalidArgument(
    { reason: `The range of the upload is not valid: ${problem}.` },
    { target: 'Content-Range' },
  );
