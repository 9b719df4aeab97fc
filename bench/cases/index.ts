import type { Case } from '../lib/case.ts';
import { get } from './get.ts';
import { inProcessStart } from './in-process-start.ts';
import { list } from './list.ts';
import { memory } from './memory.ts';
import { put } from './put.ts';
import { reset } from './reset.ts';
import { start } from './start.ts';
import { whyNoKysely } from './why-no-kysely.ts';

/** In the order in which they run and are reported. */
export const CASES: readonly Case[] = [start, memory, get, put, list, reset, inProcessStart, whyNoKysely];
