import type { Method, Route } from './route.ts';

/** Methods that change nothing. */
export const READS: ReadonlySet<Method> = new Set<Method>(['GET', 'HEAD']);

/** What people may call who may only look, in the control API and with their tokens in every other: what changes nothing and shows no secret. */
export const isForReaders = (method: Method, { safe, secretBodies }: Pick<Route, 'safe' | 'secretBodies'>): boolean =>
  safe === true || (READS.has(method) && !secretBodies);
