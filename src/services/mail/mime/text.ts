export const htmlToText = (html: string): string => html.replace(/<[^>]*>/g, '');
export const textToHtml = (text: string): string => text;
export const preview = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 255);
