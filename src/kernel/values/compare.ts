/** By code units, like the store's order of text. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By `name`, without regard to case. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compareText(a.name.toLowerCase(), b.name.toLowerCase());
