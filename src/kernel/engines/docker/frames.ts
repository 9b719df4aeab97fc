import { Transform } from 'node:stream';

const HEADER_BYTES = 8;

/**
 * Takes the output of a container out of its wrapping. Without a terminal an engine sends both of its streams in one, each piece
 * behind 8 bytes: which stream it is, three zeros, and how long it is.
 */
export function unwrapped(): Transform {
  let header = Buffer.alloc(0);
  let left = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0;
      while (at < chunk.length) {
        if (left > 0) {
          const piece = chunk.subarray(at, at + left);
          this.push(piece);
          left -= piece.length;
          at += piece.length;
          continue;
        }
        const part = chunk.subarray(at, at + HEADER_BYTES - header.length);
        header = Buffer.concat([header, part]);
        at += part.length;
        if (header.length === HEADER_BYTES) {
          left = header.readUInt32BE(4);
          header = Buffer.alloc(0);
        }
      }
      done();
    },
  });
}
