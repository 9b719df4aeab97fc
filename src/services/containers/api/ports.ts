const HIGHEST_PORT = 65_535;

/** Ports that the service uses itself. */
const RESERVED_PORTS: readonly (readonly [first: number, last: number])[] = [
  [22, 22],
  [443, 443],
  [1025, 1027],
  [3389, 3399],
  [9999, 9999],
  [19_000, 19_000],
  [19_080, 19_080],
  [19_100, 19_100],
  [19_390, 19_390],
  [20_000, 30_000],
  [49_152, 65_534],
];

/** The reserved ports for error messages. */
export const RESERVED = RESERVED_PORTS.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ');

export const isReserved = (port: number): boolean =>
  RESERVED_PORTS.some(([first, last]) => port >= first && port <= last);
export const isPort = (port: number): boolean => port >= 1 && port <= HIGHEST_PORT;
