/** Subject prefix of a cancelled meeting. */
export const CANCELED = 'Canceled: ';

export const withPrefix = (subject: string): string =>
  subject.startsWith(CANCELED) ? subject : `${CANCELED}${subject}`;

export const withoutPrefix = (subject: string): string =>
  subject.startsWith(CANCELED) ? subject.slice(CANCELED.length) : subject;
