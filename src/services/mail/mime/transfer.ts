const EQUALS = 0x3d;
const LF = 0x0a;
const CR = 0x0d;

/** Segments of base64 with padding between them, as some gateways join blocks; beyond this the text is not base64 but noise. */
const MOST_SEGMENTS = 1_000;

/** Removes a Content-Transfer-Encoding. What is broken decodes as far as it goes; unknown encodings are left as they are. */
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

/** An `=` that begins neither an octet nor a soft line break is itself. Blanks at the end of a line were added on the way. */
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

/** The end of the decoded line that ends at `length`; bytes before `kept` were encoded and are no blanks of transport. */
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
