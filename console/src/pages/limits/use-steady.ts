import { useRef } from 'react';

/** Keeps the places of rows while `isSteady`: their order changes with every request, and nobody reads a list that moves. */
export function useSteady<Row>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
  isSteady: boolean,
): readonly Row[] | undefined {
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  if (rows === undefined) return undefined;
  if (!isSteady) {
    places.current = new Map(rows.map((row, index) => [keyOf(row), index]));
    return rows;
  }
  const placeOf = (row: Row): number => places.current.get(keyOf(row)) ?? rows.length;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}
