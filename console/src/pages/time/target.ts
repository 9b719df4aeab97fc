import type { JarNow } from '../../shared/format/now.tsx';
import { NEXT } from './addresses.ts';

/** Where an advance goes, as the control API takes it. */
export type Target = { readonly by: string } | { readonly to: string };

const TIME = /^\d{4}-/;

/** What a person chose or typed; undefined if there is nothing to advance to. */
export function targetOf(text: string | undefined, nextDue: string | null | undefined): Target | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  if (trimmed === NEXT) return nextDue === null || nextDue === undefined ? undefined : { to: nextDue };
  return TIME.test(trimmed) ? { to: trimmed } : { by: trimmed };
}

/** A clock that follows the system's cannot be moved. */
export const mayMove = ({ mode }: Pick<JarNow, 'mode'>): boolean => mode !== 'system';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The time of a target, to draw it; the jar decides about what this does not understand. */
export function targetTime(
  text: string | undefined,
  nextDue: string | null | undefined,
  now: number,
): number | undefined {
  const target = targetOf(text, nextDue);
  if (target === undefined) return undefined;
  if ('to' in target) return Number.isNaN(Date.parse(target.to)) ? undefined : Date.parse(target.to);
  const parts = [...target.by.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  const length = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  return length > 0 ? now + length : undefined;
}
