import type { Wall } from '../zones/wall.ts';
import type { Series } from './types.ts';

export interface Neighbours {
  readonly previous?: Wall;
  readonly next?: Wall;
}

export declare const neighbours: (series: Series, slot: Wall) => Neighbours;
