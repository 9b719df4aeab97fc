/** Joins class names; leaves out what is false or absent. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
