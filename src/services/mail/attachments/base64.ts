const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const URL_SAFE = /^[\w-]*={0,2}$/;

/** Decodes base64 in either alphabet; returns undefined if the text is not base64. Padding is optional but must be correct if present. */
export function fromBase64(text: string): Buffer | undefined {
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (padding > 0 ? text.length % 4 !== 0 : text.length % 4 === 1) return undefined;
  return Buffer.from(text, 'base64');
}
