import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { listOf, membersOf } from '../engine/json.ts';
import { parsedText } from '../engine/json-text.ts';
import { errors } from '../errors.ts';

/** The catalog and schema for all datasets of a dashboard, if the request sets them. */
export interface DatasetPlace {
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

/**
 * The content of a dashboard as stored: the default type of pages is canvas, and datasets get the catalog and schema of the request.
 * Without additions the text stays as sent; it ends in a newline, as the real service's does.
 */
export function keptContent(text: string, place: DatasetPlace): string {
  if (text === '') return text;
  const content = parsed(text);
  const pages = listOf(content.pages).map((page) => ({ pageType: 'PAGE_TYPE_CANVAS', ...membersOf(page) }));
  const datasets = listOf(content.datasets).map((dataset) => ({
    ...membersOf(dataset),
    ...(place.catalog !== undefined && { catalog: place.catalog }),
    ...(place.schema !== undefined && { schema: place.schema }),
  }));
  const added: JsonMembers = {
    ...(pages.length > 0 && { pages }),
    ...(datasets.length > 0 && (place.catalog ?? place.schema) !== undefined && { datasets }),
  };
  const kept = Object.keys(added).length > 0 ? JSON.stringify({ ...content, ...added }) : text;
  return kept.endsWith('\n') ? kept : `${kept}\n`;
}

function parsed(text: string): JsonMembers {
  const content = parsedText('serialized_dashboard', text);
  if (isObject(content)) return membersOf(content);
  throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'serialized_dashboard' must be a JSON object as text." });
}
