/** `a.b` and `a[0]` of `a` and a part. */
export const joined = (before: string, part: string): string =>
  before === '' || part.startsWith('[') ? before + part : `${before}.${part}`;
