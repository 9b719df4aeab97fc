import { exportErrors } from './errors.ts';

export interface ExportOptions {
  readonly includeParameterDefaultValue: boolean;
  readonly includeComments: boolean;
  /** Names appear literally in the template instead of as parameters. */
  readonly plainNames: boolean;
}

const KNOWN = [
  'IncludeParameterDefaultValue',
  'IncludeComments',
  'SkipResourceNameParameterization',
  'SkipAllParameterization',
] as const;

/** Comma-separated words, case-insensitive. */
export function readOptions(text: string | undefined): ExportOptions {
  const words = (text ?? '').split(',').flatMap((word) => word.trim().toLowerCase() || []);
  const unknown = words.find((word) => !KNOWN.some((each) => each.toLowerCase() === word));
  if (unknown !== undefined)
    throw exportErrors.InvalidExportTemplateOption(
      { option: unknown.slice(0, 100), options: KNOWN.join(', ') },
      { target: 'options' },
    );
  const has = (option: (typeof KNOWN)[number]): boolean => words.includes(option.toLowerCase());
  return {
    includeParameterDefaultValue: has('IncludeParameterDefaultValue'),
    includeComments: has('IncludeComments'),
    plainNames: has('SkipResourceNameParameterization') || has('SkipAllParameterization'),
  };
}
