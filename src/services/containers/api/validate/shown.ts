const LONGEST = 80;

/** A value of the client's as it may stand in a message. */
export const shown = (value: unknown): string => {
  const text = String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};
