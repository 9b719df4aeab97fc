import type { Cell } from '../results/collections.ts';

/** Results of warehouses contain numbers as texts. */
export const isNumeric = (value: Cell): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)));

/** Aggregates a column as SQL does: nulls are ignored, and without other values every aggregate except a count is null. */
export function aggregate(name: string, cells: readonly Cell[]): Cell {
  const known = cells.filter((cell) => cell !== null);
  if (name === 'COUNT') return known.length;
  if (name === 'COUNT_DISTINCT') return new Set(known.map((cell) => JSON.stringify(cell))).size;
  if (known.length === 0) return null;
  if (name === 'MIN' || name === 'MAX') return extreme(known, name === 'MAX');
  const numbers = known.filter(isNumeric).map(Number);
  return numbers.length === 0 ? null : (NUMERIC[name]?.(numbers) ?? null);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const NUMERIC: Readonly<Record<string, (numbers: readonly number[]) => number | null>> = {
  SUM: sum,
  AVG: (numbers) => sum(numbers) / numbers.length,
  MEDIAN(numbers) {
    const sorted = [...numbers].sort((one, other) => one - other);
    const middle = sorted.length >> 1;
    const upper = sorted[middle] as number;
    return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  },
  /** Sample standard deviation. */
  STDDEV(numbers) {
    if (numbers.length < 2) return null;
    const mean = sum(numbers) / numbers.length;
    return Math.sqrt(sum(numbers.map((each) => (each - mean) ** 2)) / (numbers.length - 1));
  },
};

/** Compares numbers numerically, all other values as text. */
function extreme(known: readonly Cell[], greatest: boolean): Cell {
  const asNumbers = known.every(isNumeric);
  const isGreater = (one: Cell, other: Cell): boolean =>
    asNumbers ? Number(one) > Number(other) : String(one) > String(other);
  return known.reduce((best, each) => (isGreater(each, best) === greatest && each !== best ? each : best));
}
