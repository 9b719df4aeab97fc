import type { EngineJar } from '../context.ts';
import type { SimulatedCollections } from './collections.ts';

export interface SimulatedContext extends Pick<EngineJar, 'store' | 'clock' | 'vault'>, SimulatedCollections {}
