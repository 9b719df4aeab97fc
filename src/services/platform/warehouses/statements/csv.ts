const QUOTED = /[",\r\n]/;

const cell = (value: string | null): string => {
  if (value === null) return 'null';
  return QUOTED.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
};

/** Rows in the format of RFC 4180, with a header row if names are given. */
export const csvOf = (names: readonly string[] | undefined, rows: readonly (readonly (string | null)[])[]): string =>
  [...(names ? [names] : []), ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
