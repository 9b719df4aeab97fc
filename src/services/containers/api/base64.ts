const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a base64 text; undefined if the text is not base64. Line breaks, which encoders often add, are ignored. */
export function fromBase64(text: string): Buffer | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  return compact.length % 4 === 0 && BASE64.test(compact) ? Buffer.from(compact, 'base64') : undefined;
}
