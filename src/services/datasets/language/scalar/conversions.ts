import type { Engine, Operand, ScalarType } from './types.ts';
export function convert(operand: Operand, to: ScalarType, engine: Engine): Operand {
  const pg = engine === 'postgres';
  const { sql, type } = operand;
  if (type === to) return operand;
  const D = (s: string) => (pg ? `(${s})::float8` : `CAST(${s} AS REAL)`);
  if (to === 'double' || to === 'date')
    return {
      sql: type === 'decimal' ? `(${sql} / 10000.0)` : type === 'date' || type === 'double' ? sql : D(sql),
      type: to,
    };
  if (to === 'int') return { sql: pg ? `(${sql})::bigint` : `CAST(${sql} AS INTEGER)`, type: to };
  if (to === 'decimal')
    return { sql: type === 'double' ? `CAST(round(${sql} * 10000) AS BIGINT)` : `(${sql} * 10000)`, type: to };
  if (to === 'boolean')
    return { sql: `CASE WHEN ${sql} IS NULL THEN NULL WHEN ${sql} <> 0 THEN 1 ELSE 0 END`, type: to };
  if (to === 'text') return { sql: `CAST(${sql} AS TEXT)`, type: to };
  return { sql, type: to };
}
export function compareVariants(a: Operand, b: Operand, _engine: Engine): string {
  return `CASE WHEN ${a.sql} < ${b.sql} THEN -1 WHEN ${a.sql} > ${b.sql} THEN 1 ELSE 0 END`;
}
