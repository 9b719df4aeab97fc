import type { Limit, Mode, NumberName, Scope } from './limit.ts';

/** One change of `PATCH /_jar/limits`; null is back to the declared value. */
export type LimitChange = {
  readonly name: string;
  readonly scope?: Record<string, string>;
  readonly mode?: Mode | null;
} & { readonly [Name in NumberName]?: number | null };

const named = (name: string, scope: Scope | undefined): LimitChange => ({
  name,
  ...(scope && Object.keys(scope).length > 0 && { scope: { ...scope } }),
});

/** Removes the override of a scope. */
export function backToDefault({ name, table }: Limit, scope: Scope | undefined): LimitChange {
  const numbers = Object.fromEntries(Object.keys(table).map((each) => [each, null]));
  return { ...named(name, scope), ...numbers, mode: null };
}

/** Fields of the form as texts; an empty one is back to the declared value. */
export function changeOf(
  { name }: Limit,
  scope: Scope,
  texts: Partial<Record<NumberName, string>>,
  mode: Mode | undefined,
): LimitChange {
  const parts = Object.entries(scope).filter(([, value]) => value !== '');
  const numbers = Object.entries(texts).map(([each, text]) => [each, text === '' ? null : Number(text)]);
  return { ...named(name, Object.fromEntries(parts)), ...Object.fromEntries(numbers), mode: mode ?? null };
}
