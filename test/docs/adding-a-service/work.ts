import { defineWork } from '../../../src/kernel/work/index.ts';

/** Rings a bell. */
export const RING = defineWork<{ readonly key: string }>('bells.ring', { concurrency: 8 });

/** A bell has one work item at most: scheduling it again moves it. */
export const ringId = (key: string): string => `bells.ring:${key}`;
