import type { ItemBody } from '../messages/types.ts';
import { htmlToText, PREVIEWED_CHARACTERS, preview, textToHtml } from '../mime/text.ts';
import type { Preferences } from './preferences.ts';

/** A body in the form that the client prefers; unchanged without a preference. */
export function contentOf(body: ItemBody, { body: wanted }: Pick<Preferences, 'body'>): ItemBody {
  if (wanted === undefined || wanted === body.contentType) return body;
  return { contentType: wanted, content: wanted === 'text' ? htmlToText(body.content) : textToHtml(body.content) };
}

/** The first 255 characters of a body, as plain text. */
export const contentPreview = ({ contentType, content }: ItemBody): string =>
  preview(contentType === 'html' ? htmlToText(content, PREVIEWED_CHARACTERS) : content);
