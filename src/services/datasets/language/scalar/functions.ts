import type { Engine, Operand, ScalarType } from './types.ts';
export interface ScalarFunction {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly keywords?: Readonly<Record<number, readonly string[]>>;
  result(types: readonly ScalarType[]): ScalarType;
  sql(args: readonly (Operand | string | undefined)[], engine: Engine): string;
}
export function scalarFunction(_name: string): ScalarFunction | undefined {
  return undefined;
}
