import { Transform } from 'node:stream';

const HEADER_BYTES = 8;

/**
 * Removes the framing from the output of a container. Without a terminal an engine multiplexes both streams; each frame has a header of 8
 * bytes: the stream, three zeros and the length.
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
