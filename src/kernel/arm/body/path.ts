/** Appends a part to a path: `a.b`, `a[0]`. */
export const joined = (before: string, part: string): string =>
  before === '' || part.startsWith('[') ? before + part : `${before}.${part}`;
