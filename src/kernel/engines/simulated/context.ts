import type { EngineJar } from '../context.ts';
import type { SimulatedCollections } from './collections.ts';

/** What simulated containers live in: a store, with the collections of one owner, and time. */
export interface SimulatedContext extends Pick<EngineJar, 'store' | 'clock' | 'vault'>, SimulatedCollections {}
