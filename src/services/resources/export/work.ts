import type { Origin } from '../../../kernel/arm/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';
import type { ExportOptions } from './options.ts';

/** A template that is made of the resources of a group. */
export interface Export {
  readonly operation: string;
  readonly origin: Origin;
  /** Keys of the resources, the parents before their children. */
  readonly keys: readonly string[];
  readonly options: ExportOptions;
  /** The provider prefix of the caller. */
  readonly prefix: string;
}

export const EXPORT_TEMPLATE = defineWork<Export>('resources.export-template');
