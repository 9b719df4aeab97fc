/** Compares by UTF-16 code units. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by `name`, ignoring case. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compareText(a.name.toLowerCase(), b.name.toLowerCase());
