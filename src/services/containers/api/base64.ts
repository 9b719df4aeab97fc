const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a base64 text, undefined for anything else. Line breaks, which encoders like to add, do not matter. */
export function fromBase64(text: string): Buffer | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  return compact.length % 4 === 0 && BASE64.test(compact) ? Buffer.from(compact, 'base64') : undefined;
}
