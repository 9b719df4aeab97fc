export { openTraces, Traces } from './note.ts';
export { pruneOldest, pruneTraces } from './prune.ts';
export { newestTraces, traceById, traceId } from './read.ts';
export type { PlacedTrace, TracePage } from './types.ts';
