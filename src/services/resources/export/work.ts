import type { Origin } from '../../../kernel/arm/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';
import type { ExportOptions } from './options.ts';

/** Work payload of an export of a group's resources as a template. */
export interface Export {
  readonly operation: string;
  readonly origin: Origin;
  /** Keys of the resources, sorted: parents before their children. */
  readonly keys: readonly string[];
  readonly options: ExportOptions;
  /** The provider namespace prefix of the caller. */
  readonly prefix: string;
}

export const EXPORT_TEMPLATE = defineWork<Export>('resources.export-template', {
  title: 'Exports a template of a resource group',
});
