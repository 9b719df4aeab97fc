import type { ZonedTime } from '../zones/wall.ts';
import type { PatternedRecurrence, Rule } from './types.ts';

export declare const toRule: (recurrence: PatternedRecurrence, start: ZonedTime, isAllDay: boolean) => Rule;
