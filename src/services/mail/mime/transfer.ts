const EQUALS = 0x3d;
const LF = 0x0a;
const CR = 0x0d;

/** Padded base64 segments in one body: some gateways join blocks in this way. A body with more segments is not base64. */
const MOST_SEGMENTS = 1_000;

/** Decodes a Content-Transfer-Encoding. Malformed input is decoded as far as possible; unknown encodings are returned unchanged. */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  const word = /[a-z0-9-]+/i.exec(encoding.slice(0, 200))?.[0].toLowerCase() ?? '';
  if (word === 'base64') return decodeBase64(body);
  return word === 'quoted-printable' ? decodeQuotedPrintable(body) : body;
}

function decodeBase64(body: Buffer): Buffer {
  const text = body.toString('latin1');
  const padding = text.indexOf('=');
  if (padding < 0 || /^[=\s]*$/.test(text.slice(padding, padding + 100))) return Buffer.from(text, 'base64');
  const segments = text.split(/=+/, MOST_SEGMENTS + 1);
  if (segments.length > MOST_SEGMENTS) return Buffer.from(text, 'base64');
  return Buffer.concat(segments.map((segment) => Buffer.from(segment, 'base64')));
}

const hexValue = (byte: number | undefined): number => {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/**
 * An `=` that begins neither an octet nor a soft line break is kept as text. Blanks at the end of a line are removed: transport added them.
 */
export function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length);
  let length = 0;
  let kept = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === LF) {
      const end = softEnd(decoded, kept, length);
      length = end.length;
      if (!end.isSoft) decoded[length++] = LF;
      kept = length;
    } else if (byte === EQUALS && hexValue(body[at + 1]) >= 0 && hexValue(body[at + 2]) >= 0) {
      decoded[length++] = hexValue(body[at + 1]) * 16 + hexValue(body[at + 2]);
      kept = length;
      at += 2;
    } else {
      decoded[length++] = byte;
    }
  }
  return decoded.subarray(0, softEnd(decoded, kept, length, true).length);
}

/** The end of the current decoded line without transport padding. Bytes before `kept` were encoded, so they are not padding. */
function softEnd(decoded: Buffer, kept: number, length: number, isLast = false) {
  let end = length;
  let hasCr = false;
  if (end > kept && decoded[end - 1] === CR) {
    hasCr = true;
    end -= 1;
  }
  while (end > kept && (decoded[end - 1] === 0x20 || decoded[end - 1] === 0x09)) end -= 1;
  if (end > kept && decoded[end - 1] === EQUALS) return { length: end - 1, isSoft: true };
  if (hasCr && !isLast) decoded[end++] = CR;
  return { length: end, isSoft: false };
}
