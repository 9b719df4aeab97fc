/** In front of the subject of a meeting that was cancelled. */
export const CANCELED = 'Canceled: ';

export const withPrefix = (subject: string): string =>
  subject.startsWith(CANCELED) ? subject : `${CANCELED}${subject}`;

export const withoutPrefix = (subject: string): string =>
  subject.startsWith(CANCELED) ? subject.slice(CANCELED.length) : subject;
