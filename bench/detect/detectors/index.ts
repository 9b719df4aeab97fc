import { cld3 } from './cld3.ts';
import type { Contender } from './detector.ts';
import { eld } from './eld.ts';
import { fasttext } from './fasttext.ts';
import { franc, francAll } from './franc.ts';
import { lingua } from './lingua.ts';
import { ours } from './ours.ts';
import { tinyld } from './tinyld.ts';

/** In the order of the tables. */
export const CONTENDERS: readonly Contender[] = [ours, lingua, eld, fasttext, cld3, franc, francAll, tinyld];
