const SURROGATE = /[\uD800-\uDFFF]/;

/** The characters of a text by code point; most texts can be used directly. */
export type Signs = ArrayLike<string>;

export const signsOf = (text: string): Signs => (SURROGATE.test(text) ? [...text] : text);

export const countOf = (text: string): number => signsOf(text).length;

/** A substring by character positions. */
export const part = (text: string, from: number, to?: number): string => {
  const signs = signsOf(text);
  return typeof signs === 'string' ? signs.slice(from, to) : Array.from(signs).slice(from, to).join('');
};
